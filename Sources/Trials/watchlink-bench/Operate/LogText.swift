import EventLog
import Foundation
import QuizSync

/// The log of a host that received and stored many quizzes.
enum LogText {
    /// The quizzes of one write. 1,000: some hundred KiB.
    private static let batch = 1_000
    /// The time between two quizzes of the log.
    private static let interval: TimeInterval = 0.01

    /// Writes a log of at least this many bytes.
    ///
    /// - Returns: The number of bytes.
    static func write(_ bytes: Int, to path: String) throws -> Int {
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw BenchError("cannot create \(path)")
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        var written = 0
        var time = Date(timeIntervalSince1970: 1_795_000_000)
        while written < bytes {
            var text = ""
            for _ in 0..<batch {
                let fields: [LogField] = [.package(UUID()), .bytes(900)]
                for event in [LogEvent.quizReceived, .quizStored] {
                    let record = LogRecord(time: time, service: "host", event: event, fields: fields)
                    text += LogFormat.text.line(record) + "\n"
                }
                time += interval
            }
            try file.write(contentsOf: Data(text.utf8))
            written += text.utf8.count
        }
        try file.close()
        return written
    }
}
