import DeviceShell
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("What a recording has of a phone's watches")
struct RecordedWatchesTests {
    private let scratch: Scratch
    private let queue = EventQueue()

    init() throws { scratch = try Scratch() }

    /// A recorded phone.
    private func phone(_ configure: (inout DeviceConfiguration) -> Void = { _ in }) -> TestDevice {
        let phone = TestDevice(.host, in: scratch, configure)
        #expect(phone.configuration.tap.open(queue, side: 0))
        return phone
    }

    @Test(
        "An action on a watch is recorded before the app is told of it, one that is refused or before the activation not"
    )
    func actions() throws {
        let (host, companion) = (phone(), TestDevice(.companion, in: scratch))
        let other = UUID()
        try host.session.simulator.pair(other)
        #expect(host.activate() && companion.activate())
        host.delegate.events.expect { $0.contains("reachable true") }
        #expect(throws: PairingError.unknown(other)) { try host.session.simulator.switchTo(other) }
        try host.session.simulator.apply(WatchDeed(.pair, of: other))
        try host.session.simulator.setComplicationEnabled(true, on: companion.identifier)
        try host.session.simulator.setAppInstalled(false, on: other)
        try host.session.simulator.setAppInstalled(true, on: other)
        try host.session.simulator.switchTo(other)
        host.delegate.events.expect { $0.contains("deactivated 0") }
        try host.session.simulator.unpair(companion.identifier)
        let events = queue.look()
        let words = events.filter { $0.name == "watches" }.map { $0.words ?? "" }
        let expected = [
            "pair \(other)", "complication \(companion.identifier) on", "uninstall \(other)", "install \(other)",
            "switch \(other)", "unpair \(companion.identifier)",
        ]
        #expect(words == expected, "\(words)")
        let told = try #require(events.firstIndex { $0.name == "didBecomeInactive" })
        let done = try #require(events.firstIndex { $0.words == "switch \(other)" })
        #expect(done < told)
    }

    @Test("A phone that serves all its watches names the watch of each call, package, delivery and change of state")
    func named() throws {
        let host = phone { $0.companions.serving = .all }
        let watches = ["first", "second"].map { TestDevice(.companion, in: scratch, name: $0) }
        #expect(host.activate())
        for watch in watches {
            #expect(watch.activate())
            watch.delegate.events.expect { $0.contains("reachable true") }
        }
        for watch in watches {
            let session = try #require(host.session.core.session(for: watch.identifier))
            watch.session.transferUserInfo(["from": "watch"])
            let replies = Collector<String>()
            watch.session.sendMessage(["m": 1]) { _ in replies.add("reply") }
            session.sendMessage(["m": 2]) { _ in replies.add("reply") }
            session.transferUserInfo(["to": "watch"])
            try session.updateApplicationContext(["c": 1])
            replies.expect { $0.count == 2 }
            watch.delegate.events.expect { $0.contains("userInfo to=watch") && $0.contains("context c=1") }
        }
        host.delegate.events.expect { all in all.count { $0.hasPrefix("userInfo") } == 2 }
        let events = queue.look()
        let kinds = [
            "connected", "reachabilityDidChange", "read", "write", "didReceiveUserInfo", "didReceiveMessageWithReply",
            "sendMessage", "transferUserInfo", "updateApplicationContext",
        ]
        for kind in kinds {
            let devices = events.filter { $0.name == kind }.map(\.device)
            #expect(!devices.contains(nil) && Set(devices) == Set(watches.map(\.identifier)), "\(kind): \(devices)")
        }
        for event in events where event.name == "activationDidComplete" { #expect(event.device == nil) }
    }

    @Test("A phone that serves one watch at a time names none: its session is with the one that is worn")
    func unnamed() throws {
        let (host, companion) = (phone(), TestDevice(.companion, in: scratch))
        #expect(host.activate() && companion.activate())
        companion.delegate.events.expect { $0.contains("reachable true") }
        companion.session.transferUserInfo(["n": 1])
        #expect(host.received(["userInfo n=1"], "userInfo"))
        let named = queue.look().filter { $0.device != nil }.map(\.name)
        #expect(Set(named) == ["connected"], "\(named)")
    }
}
