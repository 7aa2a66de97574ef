import Dispatch
public import Foundation
import Glibc
import Locking
import Metrics

/// Queues lines from any thread without blocking it, and writes them on its own thread to standard error and to a file.
public final class LogWriter: Sendable {
    /// The longest queue, in lines. 8,192: some megabytes, a second of a busy service; when a disk or a terminal is
    /// slower, lines are dropped and counted, and the event loop is never delayed.
    public static let maximumWaiting = 8_192

    private struct Queue {
        var records: [LogRecord] = []
        var dropped = 0
        /// Lines accepted, and lines written: equal when nothing is left to write.
        var taken: UInt64 = 0
        var written: UInt64 = 0
        var isReopeningDue = false
        /// Callers that wait until `written` reaches their goal.
        var waiters: [(goal: UInt64, done: DispatchSemaphore)] = []
    }

    private let service: String
    private let consoleFormat: LogFormat
    private let console: Int32
    private let journal: (@Sendable (JournalEntry) throws -> Void)?
    private let fileFormat: LogFormat
    private let queue = Mutex(Queue())
    private let wake = DispatchSemaphore(value: 0)
    // Used by the writing thread only.
    private let file: LogFile?

    private static let dropped = MetricRegistry.process.counter(
        "watchlink_log_lines_dropped_total",
        help: "Log lines dropped because they arrived faster than they could be written.")

    /// Starts the writing thread.
    ///
    /// - Parameters:
    ///   - service: The name of the program in each line.
    ///   - consoleFormat: The format of lines on the console.
    ///   - console: The descriptor of the console: standard error as a rule.
    ///   - journal: Sends an entry to the journal instead of the console; an entry that it fails to send goes there.
    ///   - file: A file that receives the lines, too.
    ///   - fileFormat: The format of lines in the file.
    public init(
        service: String, consoleFormat: LogFormat, console: Int32 = FileHandle.standardError.fileDescriptor,
        journal: (@Sendable (JournalEntry) throws -> Void)? = nil, file: LogFile? = nil, fileFormat: LogFormat = .text
    ) {
        self.service = service
        self.consoleFormat = consoleFormat
        self.console = console
        self.journal = journal
        self.fileFormat = fileFormat
        self.file = file
        Thread.detach(named: "watchlink-log", isAttendant: true) { [self] in run() }
    }

    /// Queues a record, or drops and counts it when the queue is full.
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

    /// Reopens the file before the next line, after another program renamed or removed it.
    public func reopen() {
        queue.withLock { $0.isReopeningDue = true }
        wake.signal()
    }

    /// Waits until all accepted lines are written, up to the limit: a process that ends must not hang on its log.
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
        if !isInJournal(record) { LogFile.put(consoleFormat.line(record), console) }
        file?.write(fileFormat.line(record))
    }

    /// Returns true if the record was sent to the journal.
    private func isInJournal(_ record: LogRecord) -> Bool {
        guard let journal else { return false }
        do {
            try journal(JournalEntry(record))
            return true
        } catch {
            // The console is the journal's as well, by its other door, which waits.
            return false
        }
    }
}
