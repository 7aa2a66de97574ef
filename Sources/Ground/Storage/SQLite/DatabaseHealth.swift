package import Foundation
import Locking

/// The unresolved failures of this process's databases.
package final class DatabaseHealth: Sendable {
    package static let process = DatabaseHealth()

    /// The failures of one database since its last commit.
    package struct Trouble: Equatable, Sendable, CustomStringConvertible {
        package let path: String
        /// The latest error.
        package fileprivate(set) var error: DatabaseError
        package let first: Date
        package fileprivate(set) var latest: Date
        package fileprivate(set) var count: Int
        /// True if the database could not be opened: opening it then resolves the trouble, as a commit does.
        fileprivate var isClosed: Bool

        /// A short form of the description, for narrow columns.
        package var brief: String {
            let time = latest.formatted(.iso8601).dropFirst("2026-11-22T".count)
            return "\(error.detail); \(path.split(separator: "/").last ?? ""), \(count) times, last at \(time)"
        }

        package var description: String {
            "\(error); failed \(count == 1 ? "once" : "\(count) times") since \(first.formatted(.iso8601)), no commit since"
        }
    }

    private let troubles = Mutex<[String: Trouble]>([:])

    /// The troubles of all databases, ordered by path.
    package var all: [Trouble] { troubles.withLock { $0.values.sorted { $0.path < $1.path } } }

    func isInTrouble(_ path: String) -> Bool { troubles.withLock { $0[path] != nil } }

    func failed(_ error: DatabaseError, in path: String, whileOpening: Bool, at time: Date) {
        troubles.withLock { troubles in
            guard var trouble = troubles[path] else {
                troubles[path] = Trouble(
                    path: path, error: error, first: time, latest: time, count: 1, isClosed: whileOpening)
                return
            }
            (trouble.error, trouble.latest, trouble.isClosed) = (error, time, whileOpening)
            trouble.count += 1
            troubles[path] = trouble
        }
    }

    func opened(_ path: String) {
        troubles.withLock { if $0[path]?.isClosed == true { $0[path] = nil } }
    }

    func committed(_ path: String) {
        troubles.withLock { if !$0.isEmpty { $0[path] = nil } }
    }
}
