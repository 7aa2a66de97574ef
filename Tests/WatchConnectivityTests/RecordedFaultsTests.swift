import DeviceShell
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("What a recording has of faults")
struct RecordedFaultsTests {
    private let queue = EventQueue()

    /// Returns the faults among the events since the last look, and the messages that they are of.
    private func faults() -> [(words: String, package: UUID?)] {
        queue.look().filter { $0.name == "fault" }.map { ($0.words ?? "", $0.package) }
    }

    private func pair(_ configure: (inout DeviceConfiguration) -> Void = { _ in }) throws -> TestPair {
        let pair = try TestPair(configure)
        #expect(pair.companion.configuration.tap.open(queue, side: 0))
        return pair
    }

    @Test(
        "What a fault does to a package is an event of it, with how long it lasts and without how often it may happen")
    func packages() throws {
        let pair = try pair()
        #expect(pair.connect())
        for text in ["drop out message times=1", "delay out user-info by=40ms times=1"] {
            try pair.companion.session.simulator.apply(
                try FaultDeed(words: text.split(separator: " ").map(String.init)))
        }
        pair.companion.session.sendMessage(["n": 1], replyHandler: nil)
        pair.companion.session.transferUserInfo(["n": 2])
        #expect(pair.host.received(["userInfo n=2"], "userInfo"))
        let faults = faults()
        #expect(faults.map(\.words) == ["drop out message", "delay out user-info by=40ms"])
        #expect(faults.allSatisfy { $0.package != nil })
    }

    @Test("A lost link is recorded with the time for which it is down")
    func loss() throws {
        let pair = try pair()
        #expect(pair.connect())
        try pair.companion.session.simulator.apply(
            try FaultDeed(words: ["lose", "user-info", "for=30ms", "times=1"]))
        pair.companion.session.transferUserInfo(["n": 1])
        #expect(pair.host.received(["userInfo n=1"], "userInfo"))
        #expect(faults().map(\.words) == ["lose out user-info for=30ms"])
    }

    @Test("A delivery that a fault repeats is recorded before its second call")
    func duplicates() throws {
        let pair = try pair()
        #expect(pair.connect())
        try pair.companion.session.simulator.apply(
            try FaultDeed(words: ["duplicate", "user-info", "at-app", "times=1"]))
        pair.host.session.transferUserInfo(["n": 1])
        #expect(pair.companion.received(["userInfo n=1", "userInfo n=1"], "userInfo"))
        #expect(faults().map(\.words) == ["duplicate user-info at-app"])
    }

    @Test("What a slow link carries late is recorded with its direction and delay")
    func lateness() throws {
        let pair = try pair {
            $0.condition.outgoing.jitter = .milliseconds(40)
            $0.condition.outgoing.distribution = .uniform
        }
        #expect(pair.connect())
        for number in 1...8 { pair.companion.session.transferUserInfo(["n": number]) }
        #expect(pair.host.received((1...8).map { "userInfo n=\($0)" }, "userInfo"))
        let faults = faults().map(\.words)
        #expect(!faults.isEmpty)
        #expect(faults.allSatisfy { $0.hasPrefix("late out by=") && $0.hasSuffix("ms") }, "\(faults)")
    }
}
