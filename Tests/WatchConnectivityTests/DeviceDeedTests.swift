import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import SessionStorage
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Actions on a device")
struct DeviceDeedTests {
    static let watchChanges: [WatchDeed.Change] = [
        .switchTo, .unpair, .install, .uninstall, .complication(isEnabled: true), .complication(isEnabled: false),
    ]

    @Test("An action on a watch that the phone does not know is refused, and a watch has none", arguments: watchChanges)
    func refused(_ change: WatchDeed.Change) throws {
        let pair = try TestPair()
        #expect(pair.host.activate())
        #expect(pair.companion.activate())
        let deed = WatchDeed(change, of: UUID())
        #expect(throws: PairingError.unknown(deed.watch)) { try pair.host.session.simulator.apply(deed) }
        #expect(throws: PairingError.notHost) { try pair.companion.session.simulator.apply(deed) }
    }

    @Test("A watch cannot pair another by an action, and a phone can")
    func paired() throws {
        let pair = try TestPair()
        #expect(pair.host.activate())
        #expect(pair.companion.activate())
        let deed = WatchDeed(.pair, of: UUID())
        #expect(throws: PairingError.notHost) { try pair.companion.session.simulator.apply(deed) }
        try pair.host.session.simulator.apply(deed)
        let paired = pair.host.session.simulator.companions.first { $0.identifier == deed.watch }
        #expect(paired?.isPaired == true)
    }

    @Test("Each action on a watch changes what it names, and no other watch")
    func watches() throws {
        let scratch = try Scratch()
        let host = TestDevice(.host, in: scratch)
        #expect(host.activate())
        let simulator = host.session.simulator
        let (watch, other) = (UUID(), UUID())
        for identifier in [watch, other] { try simulator.pair(identifier) }
        func state(_ identifier: UUID) -> Companion? { simulator.companions.first { $0.identifier == identifier } }
        var expected = try #require(state(watch))
        let untouched = try #require(state(other))
        func follows(_ change: WatchDeed.Change) throws {
            try simulator.apply(WatchDeed(change, of: watch))
            #expect(state(watch) == expected)
            #expect(state(other) == untouched)
        }
        expected.hasComplication = true
        try follows(.complication(isEnabled: true))
        expected.hasComplication = false
        try follows(.complication(isEnabled: false))
        expected.isAppInstalled = false
        try follows(.uninstall)
        expected.isAppInstalled = true
        try follows(.install)
        expected.isPaired = false
        expected.isActive = false
        try follows(.unpair)
    }

    @Test("A switch makes the named watch the active one, once the app has been told")
    func switched() throws {
        let scratch = try Scratch()
        let host = TestDevice(.host, in: scratch)
        #expect(host.activate())
        let simulator = host.session.simulator
        let (first, second) = (UUID(), UUID())
        for identifier in [first, second] { try simulator.pair(identifier) }
        let before = simulator.companions.filter(\.isActive).map(\.identifier)
        #expect(before == [first])
        try simulator.apply(WatchDeed(.switchTo, of: second))
        host.delegate.events.expect { $0.contains("deactivated 0") }
        let after = simulator.companions.filter(\.isActive).map(\.identifier)
        #expect(after == [second])
    }

    @Test("The watches are in the order of their identifiers")
    func order() throws {
        let scratch = try Scratch()
        let host = TestDevice(.host, in: scratch)
        #expect(host.activate())
        let watches = (0..<6).map { _ in UUID() }
        for watch in watches { try host.session.simulator.pair(watch) }
        let names = host.session.simulator.companions.map(\.identifier.uuidString)
        #expect(names == watches.map(\.uuidString).sorted())
    }

    @Test("Each action on a watch's device changes what it names")
    func device() throws {
        let scratch = try Scratch()
        let watch = TestDevice(.companion, in: scratch)
        #expect(watch.activate())
        let simulator = watch.session.simulator
        func own(_ deed: DeviceDeed) -> DeviceState {
            simulator.apply(deed)
            return simulator.situation.own
        }
        #expect(own(.wristDown).isWristDown)
        #expect(!own(.wristUp).isWristDown)
        #expect(own(.workoutStart).hasWorkout)
        #expect(!own(.workoutEnd).hasWorkout)
        #expect(!own(.uninstall).isAppInstalled)
        #expect(own(.install).isAppInstalled)
        #expect(own(.background).application == .background)
        #expect(own(.suspended).application == .suspended)
        #expect(own(.foreground).application == .foreground)
        #expect(own(.terminated).application == .terminated)
        #expect(simulator.application == .terminated)
        simulator.apply(.linkDown)
        #expect(!simulator.situation.isLinkUp)
        simulator.apply(.linkUp)
        #expect(simulator.situation.isLinkUp)
    }

    @Test("A phone that is restarted is locked, with its app terminated, until it is unlocked")
    func reboot() throws {
        let scratch = try Scratch()
        let phone = TestDevice(.host, in: scratch)
        #expect(phone.activate())
        let simulator = phone.session.simulator
        simulator.apply(.reboot)
        #expect(simulator.situation.own.isLocked)
        #expect(simulator.application == .terminated)
        simulator.apply(.unlock)
        #expect(!simulator.situation.own.isLocked)
    }
}
