import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import SessionStorage
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Changes to the faults of a device")
struct FaultDeedTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func apply(_ text: String, to device: TestDevice) throws {
        try device.session.simulator.apply(try FaultDeed(words: text.split(separator: " ").map(String.init)))
    }

    @Test("Each fault that is added is reported, and all of them are removed together")
    func cleared() throws {
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        let simulator = device.session.simulator
        #expect(simulator.situation.rules == [])
        let texts = [
            "hold out user-info", "duplicate message at-app", "reachability never silent",
            "activation delay=2s failures=3", "disk full after=1000000",
        ]
        for text in texts { try apply(text, to: device) }
        let faulty = simulator.situation
        #expect(faulty.rules == Array(texts.prefix(2)))
        #expect(faulty.reachability == ReachabilityFault(.never, isSilent: true))
        #expect(faulty.activation == ActivationFault(delay: .seconds(2), failures: 3))
        #expect(faulty.disk.fault == .full)
        #expect(faulty.disk.after == 1_000_000)
        #expect(simulator.faults.count == 1)
        #expect(simulator.appFaults == [AppFault(.duplicate(.message))])
        try simulator.apply(FaultDeed.clear)
        let clean = simulator.situation
        #expect(clean.rules == [])
        #expect(clean.reachability == ReachabilityFault())
        #expect(clean.activation == ActivationFault())
        #expect(clean.disk.fault == .none)
        #expect(clean.disk.after == 0)
        let code = DiskFault.writeError(below: device.configuration.stateDirectory)
        #expect(code == nil)
    }

    @Test("A disk whose path is too long for a fault is an error, of clearing too, and no fault is reported")
    func longPath() throws {
        var device = DeviceConfiguration(
            device: Device(identifier: UUID(), role: .host, name: "phone"), socketPath: scratch.path("link"),
            stateDirectory: scratch.path("state"))
        let directory = "/" + String(repeating: "d", count: 1_100)
        device.diskDirectory = directory
        let simulator = WCSession(configuration: device).simulator
        let changes: [(DeviceSimulator) throws -> Void] = [
            { try $0.setDisk(.full, after: 2) }, { try $0.clearFaults() }, { try $0.apply(FaultDeed.clear) },
            { try $0.apply(FaultDeed.disk(.error, after: 1)) },
        ]
        for change in changes {
            let error = #expect(throws: DiskFault.Refused.self) { try change(simulator) }
            let text = error?.description
            #expect(
                text
                    == "no disk fault set for \(directory): the path is too long, or too many directories have faults")
            #expect(simulator.situation.disk.fault == .none)
            #expect(simulator.situation.disk.after == 0)
        }
    }

    @Test("A session that is not a device's has no disk to fail")
    func noDevice() throws {
        let session = WCSession()
        try session.simulator.setDisk(.full)
        #expect(session.simulator.situation.disk.fault == .none)
    }

    @Test("A held package arrives when it is released, and the count of held ones says so")
    func released() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        try apply("hold out user-info", to: pair.companion)
        let simulator = pair.companion.session.simulator
        #expect(simulator.situation.held == 0)
        pair.companion.session.transferUserInfo(["n": 1])
        pair.companion.log.expect { $0.contains { $0.event == .faultInjected } }
        #expect(simulator.situation.held == 1)
        #expect(simulator.injectedFaults == 1)
        #expect(pair.host.delegate.all("userInfo") == [])
        try apply("release", to: pair.companion)
        #expect(pair.host.received(["userInfo n=1"], "userInfo"))
        #expect(simulator.situation.held == 0)
        #expect(simulator.faults.count == 1)
    }

    @Test("Every change of the rules is logged with their number, and asking for them is not")
    func logged() throws {
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        for text in ["drop reply", "drop message", "release", "clear"] { try apply(text, to: device) }
        _ = device.session.simulator.faults
        let fields = device.log.all.filter { $0.event == .faultsChanged }.map(\.fields)
        #expect(fields == [[.count(1)], [.count(2)], [.count(0)]])
    }

    @Test("So is every change of the faults of the app, and clearing none is not")
    func loggedAtApp() throws {
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        for text in ["clear", "replay context", "clear", "clear"] { try apply(text, to: device) }
        let fields = device.log.all.filter { $0.event == .faultsChanged }.map(\.fields)
        #expect(fields == [[.count(1)], [.count(0)]])
        #expect(device.session.simulator.injectedFaults == 0)
    }

    @Test("The condition of the link is reported for all devices and for single ones")
    func conditions() throws {
        let device = TestDevice(.host, in: scratch)
        let simulator = device.session.simulator
        let isUnknown = simulator.link == nil
        #expect(isUnknown)
        #expect(simulator.linkCondition == LinkCondition())
        #expect(device.activate())
        let watch = UUID()
        simulator.condition(.wifi)
        simulator.condition(.outOfRange, for: watch)
        let situation = simulator.situation
        #expect(situation.condition == LinkPreset.wifi.condition)
        #expect(situation.conditions == [watch: LinkPreset.outOfRange.condition])
        #expect(simulator.linkCondition == LinkPreset.wifi.condition)
        let isGone = simulator.link?.isGone
        #expect(isGone == false)
        simulator.condition(.outOfRange)
        let isGoneForAll = simulator.link?.isGone
        #expect(isGoneForAll == true)
        #expect(simulator.situation.conditions == [:])
    }
}
