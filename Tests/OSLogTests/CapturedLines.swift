import Locking
import os

/// Lines that are kept for the test instead of written.
final class CapturedLines: Sendable {
    private let captured = Mutex<[String]>([])

    var all: [String] { captured.withLock { $0 } }
    /// The lines without the time, which differs.
    var texts: [String] { all.map { String($0.drop { $0 != " " }.dropFirst()) } }

    /// Returns a log that writes here.
    func log(
        _ environment: [String: String] = [:], subsystem: String = "", category: String = ""
    ) -> OSLog {
        let lines = LogLines(program: "app", environment: environment) { [self] line in
            captured.withLock { $0.append(line) }
        }
        return OSLog(subsystem: subsystem, category: category, lines: lines)
    }
}
