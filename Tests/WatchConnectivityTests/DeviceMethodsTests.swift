import Configuration
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("A device's answers on its control socket")
struct DeviceMethodsTests {
    /// The numbers of the errors, as scripts know them.
    private enum Code {
        static let invalidParams: Int64 = -32602
        static let refused: Int64 = 2
        static let unavailable: Int64 = 3
    }

    private let pair: TestPair

    init() throws { pair = try TestPair() }

    private static func error(_ code: Int64, _ message: String) -> JSONValue {
        ["code": .integer(code), "message": .string(message)]
    }

    private static func trouble(_ text: String, isGrave: Bool = true, _ remedy: String...) -> JSONValue {
        ["text": .string(text), "grave": .boolean(isGrave), "remedy": .array(remedy.map { .string($0) })]
    }

    /// The status of an activated device without a counterpart, with these differences.
    private static func status(_ device: TestDevice, _ changes: [String: JSONValue] = [:]) -> JSONValue {
        let usual: [String: JSONValue] = [
            "role": .string(device.configuration.device.role.rawValue),
            "identifier": .string(device.identifier.uuidString), "session": "activated", "application": "foreground",
            "reachable": false, "wristDown": false, "workout": false, "locked": false, "appInstalled": true,
            "contentPending": false, "outgoing": 0, "incoming": 0, "delegate": .null, "troubles": .array([]),
            "socket": .string(device.configuration.socketPath),
        ]
        return .object(usual.merging(changes) { $1 })
    }

    @Test("The status of a device is complete, before its session is activated and with a counterpart")
    func status() throws {
        for device in [pair.host, pair.companion] {
            let before = try device.ask("device.status")
            #expect(before == Self.status(device, ["session": "not activated"]))
            #expect(device.activate())
        }
        pair.host.delegate.events.expect { $0.contains("reachable true") }
        pair.companion.delegate.events.expect { $0.contains("reachable true") }
        for device in [pair.host, pair.companion] {
            let after = try device.ask("device.status")
            #expect(after == Self.status(device, ["reachable": true]))
        }
    }

    @Test("What happens to a watch is in its status until it is undone, with the way to undo it")
    func watchDeeds() throws {
        let watch = pair.companion
        #expect(watch.activate())
        func troubled(_ trouble: JSONValue, _ changes: [String: JSONValue] = [:]) -> [String: JSONValue] {
            changes.merging(["troubles": .array([trouble])]) { $1 }
        }
        let wristDown = Self.trouble("the wrist is down", isGrave: false, "device", "companion", "wrist-up")
        let noApp = Self.trouble("the app is not installed", "device", "companion", "install")
        let noLink = Self.trouble("the link is down", "device", "companion", "link-up")
        let background = Self.trouble("the app is background", isGrave: false, "device", "companion", "foreground")
        let suspended = Self.trouble("the app is suspended", "device", "companion", "foreground")
        let changes: [(deed: String, status: [String: JSONValue])] = [
            ("wrist-down", troubled(wristDown, ["wristDown": true])),
            ("workout-start", troubled(wristDown, ["wristDown": true, "workout": true])),
            ("wrist-up", ["workout": true]),
            ("workout-end", [:]),
            ("uninstall", troubled(noApp, ["appInstalled": false])),
            ("install", [:]),
            ("link-down", troubled(noLink)),
            ("link-up", [:]),
            ("background", troubled(background, ["application": "background"])),
            ("suspended", troubled(suspended, ["application": "suspended"])),
            ("foreground", [:]),
        ]
        for change in changes {
            let expected = Self.status(watch, change.status)
            let answer = try watch.ask("device.apply", words: change.deed)
            #expect(answer == expected, "\(change.deed)")
            let later = try watch.ask("device.status")
            #expect(later == expected, "\(change.deed)")
        }
    }

    @Test("A phone that was restarted is locked, its app is gone, and both are grave troubles")
    func reboot() throws {
        let phone = pair.host
        #expect(phone.activate())
        let answer = try phone.ask("device.apply", words: "reboot")
        let troubles = [
            Self.trouble("the phone was restarted and is locked", "device", "host", "unlock"),
            Self.trouble("the app is terminated", "device", "host", "foreground"),
        ]
        let expected = Self.status(
            phone,
            [
                "session": "not activated", "application": "terminated", "locked": true, "troubles": .array(troubles),
            ])
        #expect(answer == expected)
        let unlocked = try phone.ask("device.apply", words: "unlock")["locked"]
        #expect(unlocked == .boolean(false))
    }

    @Test("A phone's watch is listed as connected and reachable while it is, with its app, complication and pairing")
    func watches() throws {
        #expect(pair.connect())
        let name: JSONValue = .string(pair.companion.identifier.uuidString)
        func listed(_ changes: [String: JSONValue] = [:]) -> JSONValue {
            let usual: [String: JSONValue] = [
                "identifier": name, "name": "companion", "paired": true, "appInstalled": true, "complication": false,
                "active": true, "connected": true, "reachable": true,
            ]
            return .array([.object(usual.merging(changes) { $1 })])
        }
        let connected = try pair.host.ask("watches.list")
        #expect(connected == listed())
        pair.companion.session.simulator.setWristDown(true)
        pair.host.delegate.events.expect { $0.last { $0.hasPrefix("reachable") } == "reachable false" }
        let inPocket = try pair.host.ask("watches.list")
        #expect(inPocket == listed(["reachable": false]))
        pair.companion.session.simulator.setWristDown(false)
        pair.host.delegate.events.expect { $0.last { $0.hasPrefix("reachable") } == "reachable true" }
        let shown = try pair.host.ask("watches.complication", ["watch": name])
        #expect(shown == listed(["complication": true]))
        let hidden = try pair.host.ask("watches.complication", ["watch": name, "enabled": false])
        #expect(hidden == listed())
        let removed = try pair.host.ask("watches.uninstall", ["watch": name]).array?.first?["appInstalled"]
        #expect(removed == .boolean(false))
        let unpaired = try pair.host.ask("watches.unpair", ["watch": name]).array?.first?["paired"]
        #expect(unpaired == .boolean(false))
    }

    @Test("A watch that was paired before it ever came is listed, and is neither connected nor reachable")
    func expectedWatch() throws {
        let phone = pair.host
        #expect(phone.activate())
        let none = try phone.ask("watches.list")
        #expect(none == .array([]))
        let watch: JSONValue = .string(UUID().uuidString)
        let watches = try phone.ask("watches.pair", ["watch": watch]).array ?? []
        #expect(watches.count == 1)
        #expect(watches.first?["identifier"] == watch)
        #expect(watches.first?["paired"] == .boolean(true))
        #expect(watches.first?["connected"] == .boolean(false))
        #expect(watches.first?["reachable"] == .boolean(false))
    }

    @Test(
        "A watch has no watches, activated or not: each change of them is refused",
        arguments: [
            "watches.switch", "watches.pair", "watches.unpair", "watches.install", "watches.uninstall",
            "watches.complication", "watches.code",
        ])
    func noWatches(_ method: String) throws {
        let watch = pair.companion
        let params: JSONValue = ["watch": .string(UUID().uuidString)]
        let refusal = Self.error(Code.refused, "only a host has watches")
        let before = try watch.ask(method, params)
        #expect(before == refusal)
        #expect(watch.activate())
        let after = try watch.ask(method, params)
        #expect(after == refusal)
    }

    @Test("A change of a watch that the phone does not know is refused, with the reason")
    func unknownWatch() throws {
        let phone = pair.host
        #expect(phone.activate())
        let watch = UUID()
        let answer = try phone.ask("watches.switch", ["watch": .string(watch.uuidString)])
        #expect(answer == Self.error(Code.refused, "\(PairingError.unknown(watch))"))
    }

    @Test("A phone makes a pairing code of digits, another one each time")
    func code() throws {
        let phone = pair.host
        #expect(phone.activate())
        let first = try phone.ask("watches.code")["code"]?.string ?? ""
        let second = try phone.ask("watches.code")["code"]?.string ?? ""
        #expect(first.count == PairingCode.digits)
        let others = first.filter { !$0.isNumber }
        #expect(others.isEmpty)
        #expect(first != second)
    }

    @Test("The link is up unless it is taken down or refuses, and is reported with its conditions and connections")
    func link() throws {
        let before = try pair.host.ask("link.status")
        #expect(before == Self.error(Code.unavailable, "the session is not activated"))
        #expect(pair.connect())
        func report(_ condition: JSONValue, isUp: JSONValue = true, _ devices: JSONValue = [:]) -> JSONValue {
            ["condition": condition, "up": isUp, "connected": 1, "devices": devices]
        }
        let perfect = try pair.host.ask("link.status")
        #expect(perfect == report("perfect"))
        let slow = try pair.host.ask("link.condition", words: "latency=2ms")
        #expect(slow == report("latency=2ms"))
        let watch = pair.companion.identifier.uuidString
        let special = try pair.host.ask(
            "link.condition", ["words": .array(["latency=1ms"]), "device": .string(watch)])
        #expect(special == report("latency=2ms", .object([watch: "latency=1ms"])))
        let whole = try pair.host.ask("link.condition", words: "perfect")
        #expect(whole == report("perfect"))
    }

    @Test("A link that refuses is not up, nor is one that is taken down, whatever its condition")
    func linkDown() throws {
        let phone = pair.host
        #expect(phone.activate())
        func report(_ condition: JSONValue, isUp: JSONValue) -> JSONValue {
            ["condition": condition, "up": isUp, "connected": 0, "devices": [:]]
        }
        let refusing = try phone.ask("link.condition", words: "refuse=on")
        #expect(refusing == report("refuse=on", isUp: false))
        let perfect = try phone.ask("link.condition", words: "perfect")
        #expect(perfect == report("perfect", isUp: true))
        _ = try phone.ask("device.apply", words: "link-down")
        let down = try phone.ask("link.status")
        #expect(down == report("perfect", isUp: false))
        _ = try phone.ask("device.apply", words: "link-up")
        let up = try phone.ask("link.status")
        #expect(up == report("perfect", isUp: true))
    }

    @Test("What cannot be read is refused as such, and an unknown method is not answered")
    func unreadable() throws {
        let phone = pair.host
        let wrong = try phone.ask("watches.pair")
        #expect(wrong == Self.error(Code.invalidParams, "“watch” must be a watch's UUID, and is missing"))
        for method in ["device.reboot", "watches.swap", ""] {
            let answer = try phone.ask(method)
            #expect(answer == .string("unknown method"), "\(method)")
        }
    }
}
