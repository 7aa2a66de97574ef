import EventLog
import Foundation
import Glibc
import LinkProtocol

/// A service's log: its levels, writer and latest events.
final class ServiceLog: Sendable {
    let logger: Logger
    let writer: LogWriter
    let recent = RecentEvents()

    init(_ settings: ServiceSettings) throws {
        let log = settings.log
        let file = try log.file.map {
            try LogFile(path: $0, maximumBytes: log.maximumBytes, keptFiles: log.keptFiles)
        }
        let environment = ProcessInfo.processInfo.environment
        let writer = LogWriter(
            service: settings.role.rawValue,
            consoleFormat: log.format ?? .suited(to: STDERR_FILENO, environment: environment), file: file,
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
