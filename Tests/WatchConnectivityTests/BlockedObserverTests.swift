import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Observers that do not return")
struct BlockedObserverTests {
    private let gate = DispatchSemaphore(value: 0)

    /// Waits until an observer is reported as blocked, lets it return, and waits for the report of that.
    private func expectReport(_ device: TestDevice) {
        let method = LogField.method("an observer's change handler")
        device.log.expect("it is reported") { records in
            records.contains { $0.event == .hint && $0.fields.contains(method) }
        }
        gate.signal()
        device.log.expect("it returns") { records in
            records.contains { $0.event == .delegateReturned && $0.fields.contains(method) }
        }
    }

    @Test("One of the activation state is reported as an observer")
    func activation() throws {
        let scratch = try Scratch()
        let device = TestDevice(.companion, in: scratch) { $0.callPatience = [.milliseconds(5)] }
        let observation = device.session.observe(\.activationState) { [gate] _, _ in gate.wait() }
        device.session.activate()
        expectReport(device)
        observation.invalidate()
    }

    @Test("So is one of the watch, which becomes known at the first activation")
    func watch() throws {
        let scratch = try Scratch()
        let device = TestDevice(.host, in: scratch) { $0.callPatience = [.milliseconds(5)] }
        let observation = device.session.observe(\.isPaired) { [gate] _, _ in gate.wait() }
        device.session.activate()
        expectReport(device)
        observation.invalidate()
    }

    @Test("So is one of the progress of a file, which is told before the whole file has arrived")
    func progress() throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(5)] }
        #expect(pair.connect())
        let size: Int64 = 5_000_000
        let file = pair.scratch.path("f")
        try Data(count: Int(size)).write(to: URL(filePath: file))
        // The observer is added before the file is sent.
        pair.companion.session.simulator.setLinkUp(false)
        let transfer = pair.companion.session.transferFile(URL(filePath: file), metadata: nil)
        let counts = Collector<Int64>()
        let observation = transfer.progress.observe(\.completedUnitCount, options: [.new]) { [gate] _, change in
            counts.add(change.newValue ?? -1)
            if counts.all.count == 1 { gate.wait() }
        }
        pair.companion.session.simulator.setLinkUp(true)
        expectReport(pair.companion)
        pair.companion.delegate.events.expect { $0.contains("finished file f ok") }
        let first = counts.all.first ?? -1
        #expect((1..<size).contains(first), "\(first) bytes")
        #expect(counts.all.last == size)
        observation.invalidate()
    }
}
