import Foundation
import Processes

/// A directory of its own for one test, removed afterwards. Its path is short, as those of sockets must be.
package final class Scratch: Sendable {
    private let directory: ScratchDirectory
    package var path: String { directory.path }

    package init() throws { directory = try ScratchDirectory() }

    package func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    package func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }
}
