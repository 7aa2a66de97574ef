import DeviceEngine
import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

/// Does not return from the report of a user info's end, until the gate is opened.
private final class EndDelegate: NSObject, WCSessionDelegate, Sendable {
    let gate = DispatchSemaphore(value: 0)

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(_ session: WCSession, didFinish transfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        gate.wait()
    }
}

@Suite("The ledger while a delegate's method does not return")
struct OverdueEntryTests {
    /// Waits until a call is reported as overdue. Others may be, on a busy machine.
    private static func expectOverdue(_ method: String, _ transfer: UUID, on device: TestDevice) {
        device.log.expect(method) { records in
            records.contains { record in
                record.event == .hint && record.fields.contains(.method(method))
                    && record.fields.contains(.package(transfer))
            }
        }
    }

    @Test("Only the entry that the method was called for says so")
    func others() throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(5)] }
        #expect(pair.connect())
        let gate = DispatchSemaphore(value: 0)
        pair.host.delegate.onUserInfo.withLock { $0 = { gate.wait() } }
        let transfers = (1...2).map { pair.companion.session.transferUserInfo(["n": $0]).identifier }
        #expect(pair.host.logs(.transferReceived, times: 2))
        let method = "session(_:didReceiveUserInfo:)"
        Self.expectOverdue(method, transfers[0], on: pair.host)
        let entries = try transfers.map { try pair.host.ledger($0, .incoming) }
        let cause = entries.first??.cause ?? ""
        #expect(cause.hasPrefix("\(method) has not returned for "), "\(cause)")
        let otherCause = entries.last??.cause
        #expect(otherCause == nil)
        let states = entries.compactMap { $0?.state }
        #expect(states == [.received, .received])
        for _ in transfers { gate.signal() }
        #expect(pair.host.received(["userInfo n=1", "userInfo n=2"], "userInfo"))
    }

    @Test("An entry that has a cause keeps it")
    func refused() throws {
        let scratch = try Scratch()
        let device = TestDevice(.host, in: scratch) { $0.callPatience = [.milliseconds(5)] }
        #expect(device.activate())
        let delegate = EndDelegate()
        device.session.delegate = delegate
        let transfer = device.session.transferUserInfo(["u": UUID()])
        Self.expectOverdue("session(_:didFinish:error:)", transfer.identifier, on: device)
        let cause = try device.ledger(transfer.identifier)?.cause ?? ""
        #expect(cause.hasPrefix("The payload contains a value that is not a property-list type"), "\(cause)")
        delegate.gate.signal()
        #expect(device.logs(.delegateReturned))
        withExtendedLifetime(delegate) {}
    }
}
