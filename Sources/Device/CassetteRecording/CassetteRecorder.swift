package import Cassettes
package import DeviceShell
import Dispatch
import Foundation
import LinkProtocol
import LinkTransport
import Locking

/// The recorder of a cassette: it queues events from any thread without blocking it, and redacts and writes them on its
/// own thread.
package final class CassetteRecorder: DeviceRecording {
    /// The longest queue, in events. 8,192: as many as the log's queue; when the disk is slower, events are dropped and
    /// counted.
    package static let mostWaiting = 8_192
    /// The most bytes of contents in the queue. 64 MiB: a thousand of the largest messages.
    package static let mostWaitingBytes = 64 * 1024 * 1024
    /// The time in which events are collected. 20 ms: waking the thread costs as much as many events, and no more than this
    /// is lost with a process that dies.
    private static let pause = DispatchTimeInterval.milliseconds(20)
    /// The time-out for the last events. 60 s: a full queue takes seconds, and many more in a debug build on a busy machine;
    /// a process that ends must not hang on its disk for ever.
    private static let endLimit = DispatchTimeInterval.seconds(60)

    private struct Queue: Sendable {
        var observations: [Observation] = []
        var bytes = 0
        var dropped = 0
        var isFinishing = false
        var report: RecordingReport?
    }

    package let path: String
    private let queue = Mutex(Queue())
    private let wake = DispatchSemaphore(value: 0)
    /// Signalled when the thread must not collect any longer.
    private let hurry = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)

    /// Makes the cassette, and starts the thread.
    ///
    /// - Parameters:
    ///   - path: Its directory, which must be empty or missing.
    ///   - sides: The names of the devices.
    package init(
        path: String, sides: [String], seed: UInt64, rules: RedactionRules, build: String? = nil
    ) throws(CassetteError) {
        self.path = path
        let redactor = Redactor(rules, hash: KeyedHash())
        let program = CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? ""
        let manifest = CassetteManifest(
            sides: sides, program: redactor.name(program), build: build, started: Date(), seed: seed, rules: rules)
        let machine = RecordingMachine(manifest, redactor: redactor, start: MonotonicTime.now.nanoseconds)
        // Only the thread uses it from now on.
        let writer = UncheckedBox(try CassetteWriter(path, manifest))
        Thread.detach(named: "watchlink-tape") { [self] in run(machine, writer.value) }
    }

    /// Queues an event, or counts it when the queue is full.
    func add(_ observation: Observation) {
        let (isFirst, isFull) = queue.withLock { queue in
            guard !queue.isFinishing else { return (false, false) }
            let size = observation.payload?.data.count ?? 0
            guard queue.observations.count < Self.mostWaiting, queue.bytes + size <= Self.mostWaitingBytes else {
                queue.dropped += 1
                return (false, true)
            }
            queue.observations.append(observation)
            queue.bytes += size
            return (queue.observations.count == 1, queue.observations.count == Self.mostWaiting / 2)
        }
        if isFirst { wake.signal() }
        if isFull { hurry.signal() }
    }

    package func finish() -> RecordingReport {
        let report = queue.withLock { queue in
            queue.isFinishing = true
            return queue.report
        }
        if let report { return report }
        wake.signal()
        hurry.signal()
        _ = done.wait(timeout: .now() + Self.endLimit)
        // For other callers.
        done.signal()
        return queue.withLock { $0.report }
            ?? RecordingReport(path: path, events: 0, lost: 0, reason: "its disk did not take the last events in time")
    }

    // MARK: - The thread

    private func run(_ machine: RecordingMachine, _ writer: CassetteWriter) {
        var machine = machine
        while true {
            wake.wait()
            _ = hurry.wait(timeout: .now() + Self.pause)
            let (observations, dropped, isFinishing) = queue.withLock { queue in
                defer {
                    queue.observations.removeAll(keepingCapacity: true)
                    queue.bytes = 0
                    queue.dropped = 0
                }
                return (queue.observations, queue.dropped, queue.isFinishing)
            }
            if dropped > 0 { machine.lose(dropped, "the disk was slower than the events") }
            writer.add(observations.map { machine.take($0) })
            guard isFinishing else { continue }
            let report = finish(&machine, writer)
            queue.withLock { $0.report = report }
            done.signal()
            return
        }
    }

    private func finish(_ machine: inout RecordingMachine, _ writer: CassetteWriter) -> RecordingReport {
        machine.finish(written: writer.written, failure: writer.failure.map { "\($0)" })
        let manifest = machine.manifest
        do throws(CassetteError) {
            try writer.write(machine.schema)
            try writer.write(manifest)
        } catch {
            return RecordingReport(path: path, events: manifest.events, lost: manifest.lost, reason: "\(error)")
        }
        return RecordingReport(path: path, events: manifest.events, lost: manifest.lost, reason: manifest.reason)
    }
}
