package import Cassettes
package import DeviceShell
import Dispatch
import Foundation
package import LinkProtocol
import LinkTransport
import Locking

/// The recorder of a cassette: it redacts the events of a queue and writes them, on its own thread.
package final class CassetteRecorder: DeviceRecording {
    /// The pauses without an event after which the thread must be woken. 5: an exchange of messages wakes nobody, and a device
    /// at rest stays at rest.
    private static let quietPauses = 5
    /// The time-out for the last events. 60 s: a full queue takes seconds, and many more in a debug build on a busy machine;
    /// a process that ends must not hang on its disk for ever.
    private static let endLimit = DispatchTimeInterval.seconds(60)

    package let path: String
    /// The events that the thread writes.
    package let queue = EventQueue()
    private let sides: [String]
    private let report = Mutex<RecordingReport?>(nil)
    private let done = DispatchSemaphore(value: 0)

    /// Makes the cassette, and starts the thread.
    ///
    /// - Parameters:
    ///   - path: Its directory, which must be empty or missing.
    ///   - sides: The names of the devices.
    ///   - serving: The way in which a phone serves its watches.
    package init(
        path: String, sides: [String], seed: UInt64, rules: RedactionRules, build: String? = nil,
        serving: CompanionPolicy.Serving? = nil
    ) throws(CassetteError) {
        (self.path, self.sides) = (path, sides)
        let redactor = Redactor(rules, hash: KeyedHash())
        let program = CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? ""
        let manifest = CassetteManifest(
            sides: sides, program: redactor.name(program), build: build, started: Date(), seed: seed, rules: rules,
            serving: serving?.rawValue)
        let machine = RecordingMachine(manifest, redactor: redactor, start: MonotonicTime.now.nanoseconds)
        // Only the thread uses it from now on.
        let writer = UncheckedBox(try CassetteWriter(path, manifest))
        Thread.detach(named: "watchlink-tape", isPatient: true, isAttendant: true) { [self] in
            run(machine, writer.value)
        }
    }

    package func finish() -> RecordingReport {
        if let report = report.withLock({ $0 }) { return report }
        queue.close()
        _ = done.wait(timeout: .now() + Self.endLimit)
        // For other callers.
        done.signal()
        return report.withLock { $0 }
            ?? RecordingReport(path: path, events: 0, lost: 0, reason: "its disk did not take the last events in time")
    }

    // MARK: - The thread

    private func run(_ machine: RecordingMachine, _ writer: CassetteWriter) {
        var machine = machine
        let batch = EventBatch()
        var quiet = 0
        queue.wait()
        while true {
            queue.collect(every: CassetteLimits.collecting)
            let taken = queue.take(into: batch) { count in
                quiet = count == 0 ? quiet + 1 : 0
                return quiet < Self.quietPauses
            }
            var lines: [RecordingMachine.Lines] = []
            batch.drain { lines.append(machine.take(Observation($0, side: sides[$0.side]))) }
            writer.add(lines)
            // They found no place behind those.
            if taken.dropped > 0 { machine.lose(taken.dropped, "the disk was slower than the events") }
            guard taken.isClosed else {
                if quiet >= Self.quietPauses { queue.wait() }
                continue
            }
            let report = finish(&machine, writer)
            self.report.withLock { $0 = report }
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
        return RecordingReport(
            path: path, events: manifest.events, lost: manifest.lost, reason: manifest.reason,
            unmatched: machine.schema.missing(manifest.kept))
    }
}
