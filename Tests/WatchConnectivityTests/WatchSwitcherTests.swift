import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import TestSupport
import Testing

@testable import DeviceShell
@testable import WatchConnectivity

@Suite("A person who changes watches")
struct WatchSwitcherTests {
    /// With this seed the first decision is to switch after 29 ms; if there is no watch then, the second is to switch
    /// after 22 ms more. Found by computing the generator backwards from such decisions.
    private static let seed: UInt64 = 0x118F_541C_6F20_C058

    @Test("A phone that has no watch yet when one is to be changed is asked again; one that has is switched")
    func asked() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let (looks, switched) = (Collector<Bool>(), Collector<UUID>())
        let watch = UUID()
        let switcher = WatchSwitcher(loop: loop, seed: Self.seed) {
            looks.add(true)
            // At the start and at the first time there is no watch.
            guard looks.all.count > 2 else { return (nil, []) }
            return (watch, [watch])
        } onSwitch: {
            switched.add($0)
        }
        loop.execute { switcher.start() }
        switched.expect { $0 == [WatchSwitchMachine.other] }
        #expect(looks.all.count == 3)
        withExtendedLifetime(switcher) {}
    }

    @Test("A phone of such a person is switched to a watch that nobody wears, and the log and a recording say so")
    func phone() throws {
        let pair = try TestPair { $0.faultSeed = Self.seed }
        #expect(pair.connect())
        #expect(pair.host.count(.faultInjected) == 0)
        #expect(pair.host.end())
        pair.host.configuration.switchesWatches = true
        let queue = EventQueue()
        #expect(pair.host.configuration.tap.open(queue, side: 0))
        #expect(pair.host.begin())
        pair.host.delegate.events.expect { $0.contains("deactivated 0") }
        let faults = pair.host.log.all.filter { $0.event == .faultInjected }.map(\.fields)
        #expect(faults == [[.fault("switch"), .device(WatchSwitchMachine.other)]])
        let active = pair.host.session.simulator.companions.filter(\.isActive).map(\.identifier)
        #expect(active == [WatchSwitchMachine.other])
        let told = queue.look().filter { ["watches", "didBecomeInactive"].contains($0.name) }
        let words = told.map { $0.words ?? $0.name }
        let other = WatchSwitchMachine.other
        #expect(words == ["pair \(other)", "switch \(other)", "didBecomeInactive"], "\(words)")
    }
}
