import Foundation
import Glibc

/// The search for programs of the system.
package enum ProgramSearch {
    /// Folders in which servers are often installed, although `PATH` does not name them.
    private static let more = ["/usr/local/sbin", "/usr/sbin", "/sbin"]

    /// The folders of `PATH`, in their order.
    package static var folders: [String] {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    }

    /// Returns the path of a program; nil if it is not installed.
    package static func find(_ name: String) -> String? {
        (folders + more).map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
