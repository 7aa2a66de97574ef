import Foundation
import Processes

/// A directory for the sockets and databases of one run, removed at its end.
final class BenchFolder {
    private let directory: ScratchDirectory
    var path: String { directory.path }
    private var number = 0

    /// Creates the directory: its path is short, as required for sockets, and on the disk of temporary files.
    init() throws {
        ScratchDirectory.removeAllOnSignals()
        directory = try ScratchDirectory()
    }

    /// Returns a path at which nothing exists.
    func socket(_ name: String) throws -> String {
        number += 1
        return "\(path)/\(name)-\(number)"
    }
}
