package import Foundation
import Glibc
import Locking

/// A program that runs in the background, with the lines of its log.
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

    /// The running processes, for a program that must kill them when a signal ends it.
    static let living = Mutex(LivingChildren())

    package let label: String
    private let child = living.withLock { $0.newName() }
    private let keepsLines: Bool
    private let handle = Handle()
    private let log = Mutex(Log())
    private let changed = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    /// Signalled when the last line has been read.
    private let drained = DispatchSemaphore(value: 0)

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - environment: The complete environment; nil for this process's environment.
    ///   - directory: The working directory; nil for this process's directory.
    ///   - mergesOutput: True to read its standard output as well, together with its standard error.
    ///   - keepsLines: False for a process that may print without end: ``lines`` remains empty.
    ///   - onLine: Called with each line; the last one may have no newline.
    ///   - onEnd: Called when the process has ended.
    package init(
        _ label: String, executable: URL, arguments: [String], environment: [String: String]? = nil,
        directory: URL? = nil, mergesOutput: Bool = false, keepsLines: Bool = true,
        onLine: @escaping @Sendable (String) -> Void = { _ in },
        onEnd: @escaping @Sendable () -> Void = {}
    ) throws {
        self.label = label
        self.keepsLines = keepsLines
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
        handle.process.terminationHandler = { [ended, changed, child] _ in
            Self.living.withLock { $0.ended(child) }
            ended.signal()
            changed.signal()
            onEnd()
        }
        // The thread of the caller may end before this process does.
        try StartingThread.run { [handle] in try Self.withoutBlockedSignals { try handle.process.run() } }
        Self.living.withLock { $0.began(child, as: handle.process.processIdentifier) }
        // The child has its own copy: this one would keep the reader waiting after the child ended.
        try writing.close()
        // A thread reads the pipe: Foundation's readability handler uses a dispatch source, which crashes when the file
        // is closed meanwhile.
        let reader = Thread { [weak self, handle, drained, changed] in
            while case let data = handle.errors.fileHandleForReading.availableData, !data.isEmpty {
                self?.received(data, onLine)
            }
            self?.receivedAll(onLine)
            drained.signal()
            changed.signal()
        }
        reader.start()
    }

    /// Unblocks all signals around `body`: a child inherits the signal mask of its parent's thread, and the threads of
    /// the dispatch library block the signals that should end a process.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var (none, former) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        try body()
    }

    // A process without an owner must not keep running.
    deinit { signal(SIGKILL) }

    package var identifier: Int32 { handle.process.processIdentifier }

    /// True when the process has ended.
    package var hasEnded: Bool { !handle.process.isRunning }

    /// The reason for termination, and the exit code or signal; nil while the process runs.
    package var termination: (reason: Process.TerminationReason, number: Int32)? {
        hasEnded ? (handle.process.terminationReason, handle.process.terminationStatus) : nil
    }

    /// Returns the failure of a process that has ended; nil if it ended well, or runs.
    ///
    /// - Parameter wasRequested: True if it was sent SIGTERM, which a program need not handle.
    package func failure(wasRequested: Bool = false) -> String? {
        switch termination {
        case nil, (.exit, 0)?: nil
        case (.exit, let code)?: "it exited with code \(code)"
        case (_, SIGTERM)? where wasRequested: nil
        case (_, let signal)?: "it ended by signal \(signal)"
        }
    }

    /// Writes to the process's standard input, which is open only if its output is merged.
    ///
    /// - Throws: An error if the process has ended; this process gets no signal then.
    package func write(_ text: String) throws {
        try PipeSignal.held { try handle.input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
    }

    /// The lines received so far.
    package var lines: [String] { log.withLock { $0.lines } }

    /// Waits until `count` lines contain a text. Returns false on a time-out, or if the process has ended.
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

    /// Sends SIGTERM and waits for the end. Returns the exit code, -1 after a signal, or nil on a time-out.
    package func stop(within limit: DispatchTimeInterval) -> Int32? {
        signal(SIGTERM)
        return wait(within: limit)
    }

    /// Waits until the process ends by itself. Returns the same values as ``stop(within:)``.
    package func wait(within limit: DispatchTimeInterval) -> Int32? {
        let deadline = DispatchTime.now() + limit
        guard ended.wait(timeout: deadline) == .success else { return nil }
        ended.signal()
        guard isDrained(by: deadline) else { return nil }
        return handle.process.terminationReason == .exit ? handle.process.terminationStatus : -1
    }

    /// Kills every running process with SIGKILL, for a program that a signal ends.
    package static func killAll() {
        living.withLock { living in
            for process in living.all { Glibc.kill(process, SIGKILL) }
        }
    }

    /// Waits until the process has ended. Returns false on a time-out.
    package func waitForEnd(within limit: DispatchTimeInterval) -> Bool {
        guard ended.wait(timeout: .now() + limit) == .success else { return false }
        ended.signal()
        return true
    }

    /// Sends a signal, if the process has not ended.
    package func signal(_ number: Int32) {
        Self.living.withLock { living in
            if let process = living.number(of: child) { Glibc.kill(process, number) }
        }
    }

    /// Kills the process with SIGKILL, and waits until it has ended.
    package func kill() {
        signal(SIGKILL)
        handle.process.waitUntilExit()
    }

    /// Returns true when all output has been read, or false on a time-out.
    private func isDrained(by deadline: DispatchTime) -> Bool {
        guard drained.wait(timeout: deadline) == .success else { return false }
        // Signalled again for the next caller.
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
            if keepsLines { log.lines += lines }
            return lines
        }
        for line in lines { onLine(line) }
        changed.signal()
    }

    /// Takes what follows the last newline as a line: often the last words of a program that crashed.
    private func receivedAll(_ onLine: (String) -> Void) {
        let line = log.withLock { log -> String? in
            guard !log.rest.isEmpty else { return nil }
            let line = String(decoding: log.rest, as: UTF8.self)
            log.rest = Data()
            if keepsLines { log.lines.append(line) }
            return line
        }
        if let line { onLine(line) }
    }
}
