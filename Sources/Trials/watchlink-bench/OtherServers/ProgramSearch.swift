import Foundation

/// Programs of the system.
enum ProgramSearch {
    /// The folders to search after those of `PATH`: servers are often outside it.
    private static let more = ["/usr/sbin", "/usr/local/sbin", "/sbin"]

    /// Returns the path of a program; nil if it is not installed.
    static func find(_ name: String) -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (path + more).map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
