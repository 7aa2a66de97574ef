import Configuration
import ControlSocket
import DeviceControl
import Foundation
import LinkProtocol
import Testing
import Words

@Suite("What is asked of a device")
struct DeviceRequestTests {
    private static let watch = UUID(uuid: (0x9B, 0x0C, 0x6E, 0x5E, 0x3F, 0x0A, 0x4C, 0x57, 1, 2, 3, 4, 5, 6, 7, 8))
    private static let name = "9B0C6E5E-3F0A-4C57-0102-030405060708"

    private static func texts(_ words: String...) -> JSONValue { .array(words.map { .string($0) }) }

    /// Requests as scripts write them, and what they ask for.
    private static let lines: [(request: DeviceRequest, method: String, params: JSONValue)] = {
        var question = LedgerQuestion()
        (question.after, question.before, question.identifier) = (7, 9, watch)
        (question.limit, question.waits) = (3, true)
        return [
            (.status, "device.status", [:]), (.watches, "watches.list", [:]), (.link, "link.status", [:]),
            (.faults, "faults.list", [:]), (.makePairingCode, "watches.code", [:]),
            (.ledger(LedgerQuestion()), "ledger", ["after": 0, "limit": 1_000, "wait": false]),
            (
                .ledger(question), "ledger",
                ["after": 7, "before": 9, "identifier": .string(name), "limit": 3, "wait": true]
            ),
            (.device(.wristDown), "device.apply", ["words": texts("wrist-down")]),
            (.fault(.disk(.full, after: 20)), "faults.apply", ["words": texts("disk", "full", "after=20")]),
            (
                .condition(LinkPreset.wifi.condition, for: nil), "link.condition",
                JSONValue(deed: LinkPreset.wifi.condition)
            ),
            (
                .condition(LinkCondition(), for: watch), "link.condition",
                ["words": .array(LinkCondition().words.map { .string($0) }), "device": .string(name)]
            ),
            (.watch(WatchDeed(.switchTo, of: watch)), "watches.switch", ["watch": .string(name)]),
            (.watch(WatchDeed(.pair, of: watch)), "watches.pair", ["watch": .string(name)]),
            (.watch(WatchDeed(.unpair, of: watch)), "watches.unpair", ["watch": .string(name)]),
            (.watch(WatchDeed(.install, of: watch)), "watches.install", ["watch": .string(name)]),
            (.watch(WatchDeed(.uninstall, of: watch)), "watches.uninstall", ["watch": .string(name)]),
            (
                .watch(WatchDeed(.complication(isEnabled: false), of: watch)), "watches.complication",
                ["watch": .string(name), "enabled": false]
            ),
            (.send(.message("a"), to: nil), "send", ["kind": "message", "content": "a"]),
            (.send(.context("b"), to: nil), "send", ["kind": "context", "content": "b"]),
            (.send(.userInfo("c"), to: watch), "send", ["kind": "user-info", "content": "c", "watch": .string(name)]),
            (.send(.complication("d"), to: nil), "send", ["kind": "complication", "content": "d"]),
            (.send(.file(path: "/f"), to: nil), "send", ["kind": "file", "path": "/f"]),
            (
                .startRecording(into: "/r", keeping: ["a[].b", "c"]), "recording.start",
                ["into": "/r", "keep": texts("a[].b", "c")]
            ),
            (.stopRecording, "recording.stop", [:]),
        ]
    }()

    @Test("A recording needs an absolute path: the device has another working directory")
    func relativeRecording() {
        for params: JSONValue in [[:], ["into": "cassettes"], ["into": 3]] {
            let error = #expect(throws: ControlError.self) { _ = try DeviceRequest("recording.start", params) }
            #expect(error?.message == "“into” must be the absolute path of a directory")
        }
    }

    @Test("Each is on the control socket as scripts know it, and is read as what it was")
    func wire() throws {
        for line in Self.lines {
            #expect(line.request.method == line.method)
            #expect(line.request.params == line.params, "\(line.method)")
            let read = try DeviceRequest(line.method, line.params)
            #expect(read == line.request, "\(line.method)")
        }
        for deed in DeviceDeed.allCases {
            let request = DeviceRequest.device(deed)
            let read = try DeviceRequest(request.method, request.params)
            #expect(read == request)
        }
    }

    @Test("What may be left out is, and too much is cut")
    func leftOut() throws {
        let all = try DeviceRequest("ledger", [:])
        #expect(all == .ledger(LedgerQuestion()))
        var one = LedgerQuestion()
        one.limit = 1
        let least = try DeviceRequest("ledger", ["limit": -5])
        #expect(least == .ledger(one))
        let most = try DeviceRequest("ledger", ["limit": .integer(.max)])
        #expect(most == .ledger(LedgerQuestion()))
        for (limit, kept) in [(0, 1), (1, 1), (2, 2), (999, 999), (1_000, 1_000), (1_001, 1_000)] {
            var limited = LedgerQuestion()
            limited.limit = kept
            let question = try DeviceRequest("ledger", ["limit": .integer(Int64(limit))])
            #expect(question == .ledger(limited), "\(limit)")
        }
        let complication = try DeviceRequest("watches.complication", ["watch": .string(Self.name)])
        #expect(complication == .watch(WatchDeed(.complication(isEnabled: true), of: Self.watch)))
        let empty = try DeviceRequest("send", ["kind": "message"])
        #expect(empty == .send(.message(""), to: nil))
        let anyone = try DeviceRequest("ledger", ["identifier": .null, "wait": .null, "before": .null])
        #expect(anyone == .ledger(LedgerQuestion()))
        let unwatched = try DeviceRequest("send", ["kind": "message", "content": "a", "watch": .null])
        #expect(unwatched == .send(.message("a"), to: nil))
        for method in ["status", "watches.", "watches.swap", "watches", "device", "submit", ""] {
            let none = try DeviceRequest(method, [:])
            #expect(none == nil, "\(method)")
        }
    }

    @Test(
        "What is wrong is said with what it must be",
        arguments: [
            ("watches.pair", [:], "“watch” must be a watch's UUID, and is missing"),
            ("watches.pair", ["watch": "zzz"], "“watch” must be a UUID, not “zzz”"),
            ("send", [:], "“kind” must be one of message, context, user-info, complication, file"),
            ("send", ["kind": "file", "path": "f"], "“path” must be an absolute path"),
            ("send", ["kind": "message", "watch": 1], "“watch” must be a UUID, not “1”"),
            ("ledger", ["identifier": "1"], "“identifier” must be a UUID, not “1”"),
            (
                "link.condition", ["words": .array([.string("wifi")]), "device": "1"],
                "“device” must be a UUID, not “1”"
            ),
            ("device.apply", [:], "“words” must be a list of strings"),
            ("device.apply", ["words": .array(["wrist-down", 5])], "“words” must be a list of strings"),
            ("device.apply", ["words": "wrist-down"], "“words” must be a list of strings"),
            ("watches.pair", ["watch": .null], "“watch” must be a watch's UUID, and is missing"),
        ] as [(String, JSONValue, String)])
    func wrong(_ method: String, _ params: JSONValue, _ words: String) throws {
        let error = try #require(throws: ControlError.self) { try DeviceRequest(method, params) }
        #expect(error == ControlError(ControlError.invalidParams, words))
    }

    @Test("What a person does with a watch is said in words, which are read as what they were")
    func watchDeeds() throws {
        for verb in WatchDeed.verbs {
            for isEnabled in [true, false] {
                let deed = WatchDeed(try #require(WatchDeed.Change(verb, isEnabled: isEnabled)), of: Self.watch)
                #expect(deed.change.verb == verb)
                let read = try WatchDeed(words: deed.words)
                #expect(read == deed, "\(deed.words)")
            }
        }
        for (words, message) in [
            ([], "watches: a word is missing"), (["swich"], "did you mean “switch”?"),
            (["pair"], "watches pair: a word is missing; expected one of the identifiers"),
            (["pair", "7"], "watches pair: “7” must be a UUID"),
            (["pair", Self.name, "on"], "watches pair: “on” is unexpected here"),
            (["complication", Self.name], "complication: a word is missing; expected one of on, off"),
        ] {
            let error = #expect(throws: WordError.self) { try WatchDeed(words: words) }
            #expect(error?.description.contains(message) == true, "\(words): \(String(describing: error))")
        }
    }
}
