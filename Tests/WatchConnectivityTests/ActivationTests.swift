import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The activation of a session")
struct ActivationTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func faults(_ device: TestDevice) -> [[LogField]] {
        device.log.all.filter { $0.event == .faultInjected }.map(\.fields)
    }

    @Test("Without a fault the attempt is made before the call returns")
    func immediate() {
        // So many that no other thread is ahead of all of these checks.
        for number in 0..<20 {
            let device = TestDevice(.host, in: scratch, name: "host\(number)")
            device.session.delegate = nil
            device.session.activate()
            #expect(device.count(.delegateMissing) == 1)
            #expect(device.count(.faultInjected) == 0)
        }
    }

    @Test("A delegate that is set after an attempt without one gets the hint, and one that is set before does not")
    func lateDelegate() {
        let (early, late) = (TestDevice(.host, in: scratch, name: "a"), TestDevice(.host, in: scratch, name: "b"))
        late.session.delegate = nil
        late.session.activate()
        late.session.delegate = late.delegate
        #expect(late.hints == [.delegateAfterActivation])
        early.session.delegate = nil
        early.session.delegate = early.delegate
        #expect(early.activate())
        #expect(early.hints == [])
        // Both would use the same socket.
        #expect(early.end())
        #expect(late.activate())
    }

    @Test(
        "As many activations fail as demanded, each of them is logged, and then no fault is left",
        arguments: [0, 1, 2])
    func failures(_ failures: Int) {
        let device = TestDevice(.host, in: scratch) { $0.activationFault = ActivationFault(failures: failures) }
        for number in 0..<failures {
            device.session.activate()
            device.delegate.events.expect { $0.count == number + 1 }
        }
        #expect(device.activate())
        let expected = Array(repeating: "activated 0 7001", count: failures) + ["activated 2 ok"]
        #expect(device.delegate.all("activated") == expected)
        let fault: [LogField] = [.fault("activation"), .delay(0)]
        #expect(faults(device) == Array(repeating: fault, count: failures))
        #expect(device.count(.sessionActivationFailed) == failures)
        #expect(device.session.simulator.situation.activation == ActivationFault())
    }

    @Test("A slow activation is logged with its delay, and succeeds")
    func slow() {
        let fault = ActivationFault(delay: .milliseconds(10))
        let device = TestDevice(.host, in: scratch) { $0.activationFault = fault }
        #expect(device.activate())
        #expect(faults(device) == [[.fault("activation"), .delay(0.01)]])
        #expect(device.count(.sessionActivationFailed) == 0)
        #expect(device.session.simulator.situation.activation == fault)
    }

    @Test("One that a fault of the app lets fail is logged once, as that fault")
    func failedAtApp() {
        let fault = AppFault(.fail(.activation, .watchOnlyApp), FaultSelection(limit: 1))
        let device = TestDevice(.host, in: scratch) { $0.appFaults = [fault] }
        device.session.activate()
        device.delegate.events.expect { $0 == ["activated 0 7019"] }
        #expect(faults(device) == [[.fault(fault.description)]])
        #expect(device.session.simulator.injectedFaults == 1)
        #expect(device.activate())
        #expect(faults(device).count == 1)
    }

    @Test("A call after the activation reports it again, and activates nothing")
    func repeated() {
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        #expect(device.count(.sessionActivated) == 1)
        device.session.activate()
        device.delegate.events.expect { $0 == ["activated 2 ok", "activated 2 ok"] }
        #expect(device.count(.sessionActivated) == 1)
    }

    @Test(
        "A state directory that cannot be created fails the activation with the reason, and the next attempt succeeds"
    )
    func noDirectory() throws {
        let path = try scratch.write("host", "text")
        let device = TestDevice(.host, in: scratch)
        device.session.activate()
        device.delegate.events.expect { $0 == ["activated 0 7001"] }
        let reason = device.delegate.activationErrors.all.first?.localizedDescription
        #expect(reason == "The operation failed: create \(path): Not a directory")
        #expect(device.session.activationState == .notActivated)
        try FileManager.default.removeItem(atPath: path)
        #expect(device.activate())
    }

    @Test("Each side shows only what it has: a phone its watch, a watch its phone")
    func sides() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let (phone, watch) = (pair.host.session, pair.companion.session)
        #expect(phone.isPaired)
        #expect(phone.isWatchAppInstalled)
        #expect(phone.watchDirectoryURL != nil)
        #expect(!phone.isCompanionAppInstalled)
        #expect(!phone.iOSDeviceNeedsUnlockAfterRebootForReachability)
        #expect(!watch.isPaired)
        #expect(!watch.isWatchAppInstalled)
        #expect(!watch.isComplicationEnabled)
        #expect(watch.watchDirectoryURL == nil)
        #expect(watch.remainingComplicationUserInfoTransfers == 0)
        #expect(watch.isCompanionAppInstalled)
        #expect(!watch.iOSDeviceNeedsUnlockAfterRebootForReachability)
    }
}
