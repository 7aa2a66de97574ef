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
    /// The pauses without an event after which the thread must be woken. 5: an exchange of messages wakes nobody, and a device
    /// at rest stays at rest.
    private static let quietPauses = 5
    /// The time-out for the last events. 60 s: a full queue takes seconds, and many more in a debug build on a busy machine;
    /// a process that ends must not hang on its disk for ever.
    private static let endLimit = DispatchTimeInterval.seconds(60)

    /// An event with the name of its device. It becomes an observation on the thread.
    private struct Entry: Sendable {
        let event: DeviceEvent
        let side: String
    }

    private struct Queue: Sendable {
        var entries: [Entry] = []
        var bytes = 0
        var dropped = 0
        /// True while the thread looks by itself.
        var isAwake = false
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
        Thread.detach(named: "watchlink-tape", isPatient: true) { [self] in run(machine, writer.value) }
    }

    /// Queues an event, or counts it when the queue is full.
    func add(_ event: DeviceEvent, of side: String) {
        let (wakes, isFull) = queue.withLock { queue in
            guard !queue.isFinishing else { return (false, false) }
            let size = event.details.content?.size ?? 0
            guard queue.entries.count < Self.mostWaiting, queue.bytes + size <= Self.mostWaitingBytes else {
                queue.dropped += 1
                return (false, true)
            }
            queue.entries.append(Entry(event: event, side: side))
            queue.bytes += size
            defer { queue.isAwake = true }
            return (!queue.isAwake, queue.entries.count == Self.mostWaiting / 2)
        }
        if wakes { wake.signal() }
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
        // Two arrays change places, so that neither is ever made anew.
        var entries: [Entry] = []
        var quiet = 0
        wake.wait()
        while true {
            _ = hurry.wait(timeout: .now() + Self.pause)
            let (dropped, isFinishing, isAwake) = queue.withLock { queue in
                swap(&queue.entries, &entries)
                quiet = entries.isEmpty ? quiet + 1 : 0
                queue.isAwake = quiet < Self.quietPauses
                defer { (queue.bytes, queue.dropped) = (0, 0) }
                return (queue.dropped, queue.isFinishing, queue.isAwake)
            }
            if dropped > 0 { machine.lose(dropped, "the disk was slower than the events") }
            writer.add(entries.map { machine.take(Observation($0.event, side: $0.side)) })
            entries.removeAll(keepingCapacity: true)
            guard isFinishing else {
                if !isAwake { wake.wait() }
                continue
            }
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
