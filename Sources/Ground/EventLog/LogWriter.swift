import Dispatch
public import Foundation
import Glibc
import Locking
import Metrics

/// Takes lines from any thread without making it wait, and writes them on a thread of its own: to standard error, and to a file.
public final class LogWriter: Sendable {
    /// Lines that may wait to be written. 8,192: some megabytes, a second of a busy service; a disk or a terminal that takes
    /// longer costs lines, which are counted, and never time of the event loop.
    public static let maximumWaiting = 8_192

    private struct Queue {
        var records: [LogRecord] = []
        var dropped = 0
        /// Lines taken, and lines that are written or given up: equal when nothing is left to do.
        var taken: UInt64 = 0
        var written: UInt64 = 0
        var isReopeningDue = false
        /// Who waits until so many are written.
        var waiters: [(goal: UInt64, done: DispatchSemaphore)] = []
    }

    private let service: String
    private let consoleFormat: LogFormat
    private let console: Int32
    private let fileFormat: LogFormat
    private let queue = Mutex(Queue())
    private let wake = DispatchSemaphore(value: 0)
    // Only the writing thread uses it.
    private let file: LogFile?

    private static let dropped = MetricRegistry.process.counter(
        "watchlink_log_lines_dropped_total", help: "Lines that came faster than they could be written.")

    /// - Parameters:
    ///   - consoleFormat: The form of the lines on standard error.
    ///   - console: Its descriptor.
    ///   - file: Where they go beside that.
    ///   - fileFormat: Their form there.
    public init(
        service: String, consoleFormat: LogFormat, console: Int32 = FileHandle.standardError.fileDescriptor,
        file: LogFile? = nil,
        fileFormat: LogFormat = .text
    ) {
        self.service = service
        self.consoleFormat = consoleFormat
        self.console = console
        self.fileFormat = fileFormat
        self.file = file
        Thread.detach(named: "watchlink-log") { [self] in run() }
    }

    public func write(_ record: LogRecord) {
        let isFirst = queue.withLock { queue in
            guard queue.records.count < Self.maximumWaiting else {
                queue.dropped += 1
                Self.dropped.add()
                return false
            }
            queue.records.append(record)
            queue.taken += 1
            return queue.records.count == 1
        }
        if isFirst { wake.signal() }
    }

    /// Opens the file anew, before the next line: another program has put it aside.
    public func reopen() {
        queue.withLock { $0.isReopeningDue = true }
        wake.signal()
    }

    /// Waits until what was taken is written, but no longer than the limit: a process that ends must not hang on its log.
    public func flush(within limit: DispatchTimeInterval = .seconds(2)) {
        let done = DispatchSemaphore(value: 0)
        let mustWait = queue.withLock { queue in
            guard queue.written < queue.taken else { return false }
            queue.waiters.append((queue.taken, done))
            return true
        }
        if mustWait { _ = done.wait(timeout: .now() + limit) }
    }

    private func run() {
        while true {
            wake.wait()
            let (records, dropped, isReopeningDue) = queue.withLock { queue in
                defer {
                    queue.records.removeAll(keepingCapacity: true)
                    queue.dropped = 0
                    queue.isReopeningDue = false
                }
                return (queue.records, queue.dropped, queue.isReopeningDue)
            }
            if isReopeningDue { reopenNow() }
            for record in records { put(record) }
            if dropped > 0 { put(own(.logLinesDropped, [.count(dropped)])) }
            queue.withLock { queue in
                queue.written += UInt64(records.count)
                for waiter in queue.waiters where waiter.goal <= queue.written { waiter.done.signal() }
                queue.waiters.removeAll { $0.goal <= queue.written }
            }
        }
    }

    private func reopenNow() {
        guard let file else { return }
        do {
            try file.reopen()
            put(own(.logReopened, [.path(file.path)]))
        } catch {
            put(own(.fileSystemFailed, [.path(file.path), .error(error)]))
        }
    }

    private func own(_ event: LogEvent, _ fields: [LogField]) -> LogRecord {
        LogRecord(time: Date(), service: service, event: event, fields: fields)
    }

    private func put(_ record: LogRecord) {
        let line = consoleFormat.line(record) + "\n"
        LogFile.put(Data(line.utf8), console)
        guard let file else { return }
        file.write(Data((fileFormat == consoleFormat ? line : fileFormat.line(record) + "\n").utf8))
    }
}
