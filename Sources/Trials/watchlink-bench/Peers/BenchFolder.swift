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

    /// True if the directory is on a memory file system: then nothing waits for a disk.
    var isInMemory: Bool {
        get throws {
            // Each line has a device, the mount point and the type; the longest mount point of a path is its own.
            let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8).split(separator: "\n")
                .map { $0.split(separator: " ") }
            let above = mounts.filter { $0.count > 2 && ($0[1] == "/" || "\(path)/".hasPrefix("\($0[1])/")) }
            return above.max { $0[1].count < $1[1].count }?[2] == "tmpfs"
        }
    }

    /// Returns a path at which nothing exists.
    func socket(_ name: String) throws -> String {
        number += 1
        return "\(path)/\(name)-\(number)"
    }
}
