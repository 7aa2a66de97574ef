import EventLog
import TestSupport

func collectingLogger(_ events: Collector<LogRecord>) -> Logger {
    Logger(service: "test", minimumLevel: .debug) { events.add($0) }
}
