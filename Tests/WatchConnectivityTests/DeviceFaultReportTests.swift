import Configuration
import DeviceShell
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Faults on a device's control socket")
struct DeviceFaultReportTests {
    /// Where the faults of the disk are set: nothing is written there, so that they only show in the reports.
    private static let diskDirectory = "/nonexistent/watchlink-fault-reports"

    private let pair: TestPair

    init() throws { pair = try TestPair { $0.diskDirectory = Self.diskDirectory } }

    /// The report of a device without faults, with these differences.
    private static func report(_ changes: [String: JSONValue] = [:]) -> JSONValue {
        let usual: [String: JSONValue] = [
            "rules": .array([]), "waiting": 0, "injected": 0, "reachability": "right", "disk": .array(["none"]),
            "activationDelay": .number(0), "activationFailures": 0,
        ]
        return .object(usual.merging(changes) { $1 })
    }

    @Test("A falsified reachability is reported with its silence and its flapping, each only if it is so")
    func reachability() throws {
        let phone = pair.host
        #expect(phone.activate())
        let none = try phone.ask("faults.list")
        #expect(none == Self.report())
        let stale = try phone.ask("faults.apply", words: "reachability", "stale")
        #expect(stale == Self.report(["reachability": "stale"]))
        let silent = try phone.ask("faults.apply", words: "reachability", "always", "silent")
        #expect(silent == Self.report(["reachability": "always, silent"]))
        let flapping = try phone.ask("faults.apply", words: "reachability", "never", "flap=1h")
        #expect(flapping == Self.report(["reachability": "never, flapping"]))
        let both = try phone.ask("faults.apply", words: "reachability", "right", "silent", "flap=1h")
        #expect(both == Self.report(["reachability": "right, silent, flapping"]))
        let later = try phone.ask("faults.list")
        #expect(later == both)
        let cleared = try phone.ask("faults.apply", words: "clear")
        #expect(cleared == Self.report())
    }

    @Test("Faults of the disk and of activations are reported in the words that set them, until all are cleared")
    func others() throws {
        let phone = pair.host
        #expect(phone.activate())
        let disk = try phone.ask("faults.apply", words: "disk", "full", "after=1000000")
        #expect(disk == Self.report(["disk": .array(["full", "after=1000000"])]))
        let activation = try phone.ask("faults.apply", words: "activation", "delay=2s", "failures=3")
        #expect(
            activation
                == Self.report([
                    "disk": .array(["full", "after=1000000"]), "activationDelay": .number(2), "activationFailures": 3,
                ]))
        let rule = try FaultRule(words: ["drop", "reply", "times=2"])
        let dropping = try phone.ask("faults.apply", words: "drop", "reply", "times=2")["rules"]
        #expect(dropping == .array([.string(rule.description)]))
        let twoFaults = try phone.ask("faults.apply", words: "duplicate", "user-info", "at-app")["rules"]
        #expect(twoFaults?.array?.count == 2)
        let cleared = try phone.ask("faults.apply", words: "clear")
        #expect(cleared == Self.report())
    }

    @Test("A package that is held is counted as injected and waiting; after its release only as injected")
    func held() throws {
        #expect(pair.connect())
        let rule = try FaultRule(words: ["hold", "user-info"])
        let rules: JSONValue = .array([.string(rule.description)])
        let held = try pair.companion.ask("faults.apply", words: "hold", "user-info")
        #expect(held == Self.report(["rules": rules]))
        pair.companion.session.transferUserInfo(["n": 1])
        #expect(pair.companion.logs(.faultInjected))
        let waiting = try pair.companion.ask("faults.list")
        #expect(waiting == Self.report(["rules": rules, "waiting": 1, "injected": 1]))
        let released = try pair.companion.ask("faults.apply", words: "release")
        #expect(released == Self.report(["rules": rules, "waiting": 0, "injected": 1]))
        #expect(pair.host.received(["userInfo n=1"], "userInfo"))
    }

    @Test("A disk fault that cannot be set is an error, and nothing is reported as set")
    func refusedDisk() throws {
        let directory = "/" + String(repeating: "x", count: 2_000)
        let long = try TestPair { $0.diskDirectory = directory }
        #expect(long.host.activate())
        let answer = try long.host.ask("faults.apply", words: "disk", "full")
        let reason =
            "no disk fault set for \(directory): the path is too long, or too many directories have faults"
        #expect(answer == .object(["code": .integer(3), "message": .string(reason)]))
        let after = try long.host.ask("faults.list")
        #expect(after == Self.report())
    }
}
