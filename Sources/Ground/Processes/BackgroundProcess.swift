package import Foundation
import Glibc
import Locking

/// A service that runs in the background, with its log lines as they come.
package final class BackgroundProcess: Sendable {
    private struct Log {
        var lines: [String] = []
        var rest = Data()
    }

    // Proof of `@unchecked Sendable`: Foundation's process is only started, signalled and waited for, each once.
    private struct Handle: @unchecked Sendable {
        let process = Process()
        let errors = Pipe()
        let input = Pipe()
    }

    /// All that have not ended, for whoever has to end in a hurry.
    private static let running = Mutex<Set<Int32>>([])

    package let label: String
    private let handle = Handle()
    private let log = Mutex(Log())
    private let changed = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    /// Its last line is read.
    private let drained = DispatchSemaphore(value: 0)

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - environment: All of its variables; nil for this process's.
    ///   - directory: Where it works; nil for where this process does.
    ///   - mergesOutput: Whether its standard output is read too, with its standard error.
    ///   - onLine: Called with each line.
    ///   - onEnd: Called when the process is gone.
    package init(
        _ label: String, executable: URL, arguments: [String], environment: [String: String]? = nil,
        directory: URL? = nil, mergesOutput: Bool = false, onLine: @escaping @Sendable (String) -> Void = { _ in },
        onEnd: @escaping @Sendable () -> Void = {}
    ) throws {
        self.label = label
        handle.process.executableURL = executable
        handle.process.arguments = arguments
        if let directory { handle.process.currentDirectoryURL = directory }
        let writing = handle.errors.fileHandleForWriting
        handle.process.standardError = writing
        handle.process.environment = (environment ?? ProcessInfo.processInfo.environment)
            .merging(ParentProcess.invitation) { $1 }
        if mergesOutput {
            handle.process.standardOutput = writing
            handle.process.standardInput = handle.input
        } else {
            handle.process.standardOutput = FileHandle.nullDevice
            handle.process.standardInput = FileHandle.nullDevice
        }
        handle.process.terminationHandler = { [ended, changed] process in
            Self.running.withLock { _ = $0.remove(process.processIdentifier) }
            ended.signal()
            changed.signal()
            onEnd()
        }
        // The thread of the caller may end before this process does.
        try StartingThread.run { [handle] in try Self.withoutBlockedSignals { try handle.process.run() } }
        Self.running.withLock { _ = $0.insert(handle.process.processIdentifier) }
        // The child has its own: this one would keep the reader waiting after its end.
        try writing.close()
        // A thread that reads: Foundation's readability handler leaves its descriptor to the dispatch library, which crashes
        // when the file is closed meanwhile.
        let reader = Thread { [weak self, handle, drained, changed] in
            while case let data = handle.errors.fileHandleForReading.availableData, !data.isEmpty {
                self?.received(data, onLine)
            }
            drained.signal()
            changed.signal()
        }
        reader.start()
    }

    /// A child inherits its parent thread's mask, and the threads of the dispatch library block what should end a process.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var (none, former) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        try body()
    }

    /// A process that nobody watches any more must not go on.
    deinit { if handle.process.isRunning { Glibc.kill(handle.process.processIdentifier, SIGKILL) } }

    package var identifier: Int32 { handle.process.processIdentifier }

    /// Whether the process is gone.
    package var hasEnded: Bool { !handle.process.isRunning }

    /// How the process ended, and with which code or signal; nil while it runs.
    package var termination: (reason: Process.TerminationReason, number: Int32)? {
        hasEnded ? (handle.process.terminationReason, handle.process.terminationStatus) : nil
    }

    /// Writes to its standard input, which is open only if its output is merged.
    package func write(_ text: String) throws {
        try handle.input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// The lines so far.
    package var lines: [String] { log.withLock { $0.lines } }

    /// Waits until so many lines hold a text. False if they do not come in time, or the process has ended.
    package func waitForLines(
        _ count: Int = 1, containing text: String, within limit: DispatchTimeInterval
    ) -> Bool {
        let deadline = DispatchTime.now() + limit
        while true {
            let isOver = isDrained(by: .now())
            if log.withLock({ $0.lines.filter { $0.contains(text) }.count }) >= count { return true }
            if isOver || changed.wait(timeout: deadline) == .timedOut { return false }
        }
    }

    /// Asks the process to end, and waits. Its exit code; nil if it does not end in time.
    package func stop(within limit: DispatchTimeInterval) -> Int32? {
        if handle.process.isRunning { handle.process.terminate() }
        return wait(within: limit)
    }

    /// Waits until the process ends by itself. Its exit code, as ``stop(within:)`` has it.
    package func wait(within limit: DispatchTimeInterval) -> Int32? {
        let deadline = DispatchTime.now() + limit
        guard ended.wait(timeout: deadline) == .success else { return nil }
        ended.signal()
        guard isDrained(by: deadline) else { return nil }
        return handle.process.terminationReason == .exit ? handle.process.terminationStatus : -1
    }

    /// Ends every process with SIGKILL, for a program that a signal ends.
    package static func killAll() {
        for process in running.withLock({ $0 }) { Glibc.kill(process, SIGKILL) }
    }

    /// Waits until the process is gone. False if it is not in time.
    package func waitForEnd(within limit: DispatchTimeInterval) -> Bool {
        guard ended.wait(timeout: .now() + limit) == .success else { return false }
        ended.signal()
        return true
    }

    /// Sends a signal.
    package func signal(_ number: Int32) { Glibc.kill(handle.process.processIdentifier, number) }

    /// Ends the process with SIGKILL, and waits until it is gone.
    package func kill() {
        Glibc.kill(handle.process.processIdentifier, SIGKILL)
        handle.process.waitUntilExit()
    }

    /// Whether everything that the process will ever say has been read.
    private func isDrained(by deadline: DispatchTime) -> Bool {
        guard drained.wait(timeout: deadline) == .success else { return false }
        // The next one who asks is to find it so, too.
        drained.signal()
        return true
    }

    private func received(_ data: Data, _ onLine: (String) -> Void) {
        let lines = log.withLock { log in
            log.rest.append(data)
            var lines: [String] = []
            while let end = log.rest.firstIndex(of: UInt8(ascii: "\n")) {
                lines.append(String(decoding: log.rest[log.rest.startIndex..<end], as: UTF8.self))
                log.rest = Data(log.rest[(end + 1)...])
            }
            log.lines += lines
            return lines
        }
        for line in lines { onLine(line) }
        changed.signal()
    }
}
