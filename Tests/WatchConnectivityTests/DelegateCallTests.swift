import Configuration
import DeviceControl
import DeviceEngine
import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import Locking
import Metrics
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Delegate methods that do not return")
struct DelegateCallTests {
    private func hints(_ device: TestDevice) -> [LogRecord] {
        device.log.all.filter { $0.event == .hint && $0.fields.contains(.hint(Hint.methodBlocked.rawValue)) }
    }

    /// Returns the device's answer on its control socket.
    private func status(_ device: TestDevice) throws -> JSONValue {
        let answers = Collector<JSONValue>()
        _ = DeviceMethods(device.session.simulator).answer("device.status", .object([:])) { result in
            if case .success(let value) = result { answers.add(value) }
        }
        return try #require(answers.all.first)
    }

    @Test("The method is reported by name, twice, in the log, the status and the ledger, until it returns")
    func named() throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(20), .milliseconds(60)] }
        #expect(pair.connect())
        let (entered, gate) = (Collector<Bool>(), DispatchSemaphore(value: 0))
        pair.host.delegate.onUserInfo.withLock {
            $0 = {
                entered.add(true)
                gate.wait()
            }
        }
        let transfer = pair.companion.session.transferUserInfo(["n": 1])
        entered.expect { $0 == [true] }
        pair.host.log.expect { _ in hints(pair.host).count == 2 }
        let name = "session(_:didReceiveUserInfo:)"
        for hint in hints(pair.host) {
            #expect(hint.fields.contains(.method(name)))
            #expect(hint.fields.contains(.package(transfer.identifier)))
        }
        let method = try status(pair.host)["delegate"]?["method"]?.string
        #expect(method == name)
        let cause = try pair.host.ledger(transfer.identifier, .incoming)?.cause
        #expect(cause?.contains("\(name) has not returned") == true, "the ledger says \(cause ?? "nothing")")
        #expect(MetricRegistry.process.text().contains("watchlink_delegate_calls_overdue_total{method=\"\(name)\"}"))
        gate.signal()
        #expect(pair.host.logs(.delegateReturned))
        let call = try status(pair.host)["delegate"]
        #expect(call == .null)
        #expect(pair.host.logs(.transferDelivered))
        let causeAfterwards = try pair.host.ledger(transfer.identifier, .incoming)?.cause
        #expect(causeAfterwards == nil)
    }

    @Test("A method that waits for the main queue, which waits for the session, is reported as well")
    func handlers() throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(20)] }
        #expect(pair.connect())
        let gate = DispatchSemaphore(value: 0)
        pair.companion.session.sendMessage(["n": 1], replyHandler: { _ in gate.wait() })
        #expect(pair.companion.logs(.methodBlocked))
        let fields = hints(pair.companion).first?.fields ?? []
        #expect(fields.contains(.method("a reply handler")))
        gate.signal()
        #expect(pair.companion.logs(.delegateReturned))
    }
}
