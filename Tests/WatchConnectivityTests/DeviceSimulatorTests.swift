import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("What a person may do with a device")
struct DeviceSimulatorTests {
    /// A change of a phone's watches.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (DeviceSimulator, UUID) throws -> Void

        init(_ name: String, _ make: @escaping @Sendable (DeviceSimulator, UUID) throws -> Void) {
            testDescription = name
            self.make = make
        }
    }

    static let changes: [Change] = [
        Change("switch") { try $0.switchTo($1) },
        Change("unpair") { try $0.unpair($1) },
        Change("install") { try $0.setAppInstalled(true, on: $1) },
        Change("uninstall") { try $0.setAppInstalled(false, on: $1) },
        Change("complication") { try $0.setComplicationEnabled(true, on: $1) },
    ]

    @Test("A watch that a phone does not know cannot be changed, and a watch has none", arguments: changes)
    func refused(_ change: Change) throws {
        let pair = try TestPair()
        #expect(pair.host.activate())
        #expect(pair.companion.activate())
        let watch = UUID()
        #expect(throws: PairingError.unknown(watch)) { try change.make(pair.host.session.simulator, watch) }
        #expect(throws: PairingError.notHost) { try change.make(pair.companion.session.simulator, watch) }
    }

    @Test("A watch that is paired before it ever came is known from then on; a watch cannot pair one")
    func pairing() throws {
        let pair = try TestPair()
        #expect(pair.host.activate())
        let watch = UUID()
        try pair.host.session.simulator.pair(watch)
        let known = pair.host.session.simulator.companions.map(\.identifier)
        #expect(known == [watch])
        let reported = pair.host.session.simulator.situation.companions.map(\.identifier)
        #expect(reported == [watch])
        #expect(pair.companion.activate())
        #expect(throws: PairingError.notHost) { try pair.companion.session.simulator.pair(watch) }
        #expect(throws: PairingError.notHost) { try pair.companion.session.simulator.makePairingCode() }
    }

    @Test("The loop of a device proves that it runs, and a device without one does not")
    func pulse() throws {
        let pair = try TestPair()
        let beats = Collector<String>()
        pair.host.session.pulse { beats.add("before") }
        #expect(pair.host.activate())
        pair.host.session.pulse { beats.add("after") }
        beats.expect { !$0.isEmpty }
        #expect(beats.all == ["after"])
    }
}
