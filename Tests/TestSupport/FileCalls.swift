import CFileCalls
import Foundation

/// The calls that made files and their names durable, of the whole process, in their order.
package enum FileCalls {
    /// False beside a sanitizer.
    package static var areAvailable: Bool { watchlink_file_calls_available() == 1 }

    /// There is one recording at a time, of the whole process: tests run side by side.
    private static let recording = NSLock()

    /// Those below a directory that were made while the body ran; paths begin below the directory, which is itself “.”.
    package static func made(below directory: String, _ body: () throws -> Void) rethrows -> [String] {
        recording.lock()
        defer { recording.unlock() }
        watchlink_file_calls_begin()
        var text: UnsafeMutablePointer<CChar>?
        do {
            try body()
            text = watchlink_file_calls_end()
        } catch {
            free(watchlink_file_calls_end())
            throw error
        }
        defer { free(text) }
        guard let text else { return [] }
        return String(cString: text).split(separator: "\n").map(String.init)
            .filter { $0.contains(directory) }
            .map { line in
                line.split(separator: " ").map { word in
                    word == directory ? "." : word.replacingOccurrences(of: directory + "/", with: "")
                }.joined(separator: " ")
            }
    }
}
