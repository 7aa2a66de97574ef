import Foundation
import Glibc
import Synchronization

/// A service that runs in the background, with its log lines as they come.
final class ServiceProcess: Sendable {
    private struct Log {
        var lines: [String] = []
        var rest = Data()
    }

    // Proof of `@unchecked Sendable`: Foundation's process is only started, signalled and waited for, each once.
    private struct Handle: @unchecked Sendable {
        let process = Process()
        let errors = Pipe()
    }

    let label: String
    private let handle = Handle()
    private let log = Mutex(Log())
    private let changed = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ label: String, executable: URL, arguments: [String], onLine: @escaping @Sendable (String) -> Void) throws {
        self.label = label
        handle.process.executableURL = executable
        handle.process.arguments = arguments
        handle.process.standardError = handle.errors
        handle.process.standardOutput = FileHandle.nullDevice
        handle.process.standardInput = FileHandle.nullDevice
        handle.process.terminationHandler = { [ended, changed] _ in
            ended.signal()
            changed.signal()
        }
        handle.errors.fileHandleForReading.readabilityHandler = { [weak self] file in
            self?.received(file.availableData, onLine)
        }
        try handle.process.run()
    }

    /// Waits for a line. False if it does not come in time, or the process has ended.
    func waitForLine(containing text: String, within limit: DispatchTimeInterval) -> Bool {
        let deadline = DispatchTime.now() + limit
        while true {
            if log.withLock({ $0.lines.contains { $0.contains(text) } }) { return true }
            if !handle.process.isRunning || changed.wait(timeout: deadline) == .timedOut { return false }
        }
    }

    /// Asks the process to end, and waits. Its exit code; nil if it does not end in time.
    func stop(within limit: DispatchTimeInterval) -> Int32? {
        if handle.process.isRunning { handle.process.terminate() }
        guard ended.wait(timeout: .now() + limit) == .success else { return nil }
        ended.signal()
        handle.errors.fileHandleForReading.readabilityHandler = nil
        return handle.process.terminationReason == .exit ? handle.process.terminationStatus : -1
    }

    func kill() { Glibc.kill(handle.process.processIdentifier, SIGKILL) }

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
