import Foundation

/// A text that a command writes to a file that its user names: a report, a picture, a test.
package enum ReportFile {
    /// Writes the text, completely or not at all. What is no file, such as `/dev/stdout`, is written to, and not replaced.
    ///
    /// - Throws: Foundation's error, which names the path.
    package static func write(_ text: String, to path: String) throws {
        var status = stat()
        let isOther = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        try Data(text.utf8).write(to: URL(filePath: path), options: isOther ? [] : .atomic)
    }
}
