package import Foundation
import Glibc

/// The user identifiers that this process can distinguish: in a user namespace (a container, a unit with
/// `PrivateUsers=yes`) most users have no identifier.
package struct UserNamespace: Sendable {
    /// The overflow identifier, which replaces every unmapped user and group (user_namespaces(7)).
    package static let overflow: UInt32 = 65_534
    /// The namespace of this process.
    package static let current = UserNamespace(
        user: geteuid(), map: FileManager.default.contents(atPath: "/proc/self/uid_map"))

    /// The effective user of this process.
    package let user: UInt32
    /// True if every user has a distinct identifier.
    package let isComplete: Bool

    package init(user: UInt32, isComplete: Bool) {
        self.user = user
        self.isComplete = isComplete
    }

    /// - Parameter map: The content of /proc/self/uid_map: lines of first identifier inside, first identifier outside,
    ///   count. Without it the namespace counts as incomplete.
    package init(user: UInt32, map: Data?) {
        let words = String(decoding: map ?? Data(), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        self.init(user: user, isComplete: words == ["0", "0", "4294967295"])
    }
}
