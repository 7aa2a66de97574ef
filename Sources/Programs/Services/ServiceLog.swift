import EventLog
import Foundation
import Glibc
import LinkProtocol
import LinkTransport

/// A service's log: its levels, writer and latest events.
final class ServiceLog: Sendable {
    let logger: Logger
    let writer: LogWriter
    let recent = RecentEvents()

    /// The journal's socket for entries with fields: see sd_journal_send(3).
    private static let journal = DatagramSocket(path: "/run/systemd/journal/socket")

    private static func send(_ entry: JournalEntry) throws { try journal.send(entry.bytes) }

    init(_ settings: ServiceSettings) throws {
        let log = settings.log
        let file = try log.file.map {
            try LogFile(path: $0, maximumBytes: log.maximumBytes, keptFiles: log.keptFiles)
        }
        let suited = LogFormat.suited(to: STDERR_FILENO, environment: ProcessInfo.processInfo.environment)
        let format = log.format ?? suited
        // Only if the journal reads standard error: elsewhere its socket may exist, but nobody would look there.
        let isInJournal = suited == .journal && format == .journal
        let writer = LogWriter(
            service: settings.role.rawValue, consoleFormat: format, journal: isInJournal ? Self.send : nil, file: file,
            fileFormat: log.fileFormat)
        let levels = LogLevels(log.level)
        log.apply(to: levels)
        self.writer = writer
        logger = Logger(service: settings.role.rawValue, levels: levels) { [recent] record in
            recent.add(record)
            writer.write(record)
        }
    }
}
