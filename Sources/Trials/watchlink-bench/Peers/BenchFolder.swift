import Foundation
import Processes

/// A directory for the sockets and databases of one run, removed at its end.
final class BenchFolder {
    private let directory: ScratchDirectory
    var path: String { directory.path }
    private var number = 0

    /// Short, as the paths of sockets must be; on the disk that temporary files lie on.
    init() throws {
        ScratchDirectory.removeAllOnSignals()
        directory = try ScratchDirectory()
    }

    /// A path that nothing stands at.
    func socket(_ name: String) throws -> String {
        number += 1
        return "\(path)/\(name)-\(number)"
    }
}
