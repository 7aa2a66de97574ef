package import Foundation
import Glibc

/// Which users this process can tell apart: in a user namespace (a container, a unit with `PrivateUsers=yes`) most have no number.
package struct UserNamespace: Sendable {
    /// What a namespace says in the place of every user and group that it has no number for (user_namespaces(7)).
    package static let overflow: UInt32 = 65_534
    /// That of this process.
    package static let current = UserNamespace(
        user: geteuid(), map: FileManager.default.contents(atPath: "/proc/self/uid_map"))

    /// Whom this process runs as.
    package let user: UInt32
    /// Whether each user has a number of its own.
    package let isComplete: Bool

    package init(user: UInt32, isComplete: Bool) {
        self.user = user
        self.isComplete = isComplete
    }

    /// - Parameter map: /proc/self/uid_map: lines of “first inside, first outside, how many”. Without it nothing is taken for granted.
    package init(user: UInt32, map: Data?) {
        let words = String(decoding: map ?? Data(), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        self.init(user: user, isComplete: words == ["0", "0", "4294967295"])
    }
}
