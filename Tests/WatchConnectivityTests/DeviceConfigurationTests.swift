import Foundation
import LinkProtocol
import LinkTransport
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The configuration of a device")
struct DeviceConfigurationTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func read(_ text: String) throws -> DeviceConfiguration {
        try DeviceConfiguration(file: try scratch.write("device.json5", text))
    }

    private var environment: [String: String] {
        ["WATCHLINK_ROLE": "host", "WATCHLINK_SOCKET": scratch.path("link")]
    }

    /// Returns the description of the error of an environment.
    private func mistake(_ changes: [String: String?]) -> String? {
        var environment = self.environment
        for (name, value) in changes { environment[name] = value }
        let wrong = environment
        let error = #expect(throws: DeviceConfiguration.EnvironmentError.self) {
            try DeviceConfiguration(environment: wrong)
        }
        return error?.description
    }

    @Test("The environment sets how long a device waits for replies and acknowledgements")
    func periods() throws {
        var environment = self.environment
        let plain = try #require(try DeviceConfiguration(environment: environment))
        #expect(plain.times == LinkTimes())
        environment["WATCHLINK_REPLY_TIMEOUT"] = "250ms"
        environment["WATCHLINK_ACKNOWLEDGEMENT_TIMEOUT"] = "2s"
        let hasty = try #require(try DeviceConfiguration(environment: environment))
        #expect(hasty.times.reply == .milliseconds(250))
        #expect(hasty.times.acknowledgement == .seconds(2))
        for wrong in ["", "fast", "500", "1ms", "2d"] {
            let mistake = mistake(["WATCHLINK_REPLY_TIMEOUT": wrong])
            #expect(
                mistake
                    == "WATCHLINK_REPLY_TIMEOUT: “\(wrong)” must be a duration such as 500ms or 30s, from 10ms to 1d")
        }
    }

    // MARK: - The file

    @Test("Each key of the link is read")
    func link() throws {
        let phone = try read(
            """
            { device: { role: "host" }, link: { socket: "s", helloTimeout: 1, heartbeat: 2, silenceTimeout: 3,
              replyTimeout: 4, acknowledgementTimeout: 5, condition: "wifi", seed: 6, allowedUsers: [7] } }
            """)
        #expect(phone.socketPath == scratch.path("s"))
        #expect(phone.times.hello == .seconds(1))
        #expect(phone.times.heartbeat == .seconds(2))
        #expect(phone.times.silence == .seconds(3))
        #expect(phone.times.reply == .seconds(4))
        #expect(phone.times.acknowledgement == .seconds(5))
        #expect(phone.condition == LinkPreset.wifi.condition)
        #expect(phone.faultSeed == 6)
        #expect(phone.access == .users([7]))
    }

    @Test("Each key of a watch is read, and those of a phone are unknown to it")
    func watch() throws {
        let watch = try read(
            """
            { device: { role: "companion" }, link: { pairingCode: "12", firstReconnect: 0.5, longestReconnect: 0.5 } }
            """)
        #expect(watch.device.name == "Watch")
        #expect(watch.pairingCode == "12")
        #expect(watch.reconnect == Backoff(initial: .milliseconds(500), maximum: .milliseconds(500)))
        #expect(watch.access == .owner)
        for wrong in ["link: { allowedUsers: [7] }", "companions: { serving: \"all\" }"] {
            #expect(throws: (any Error).self) { try read("{ device: { role: \"companion\" }, \(wrong) }") }
        }
    }

    @Test("Each key of a phone is read, and those of a watch are unknown to it")
    func phone() throws {
        let phone = try read(
            """
            { device: { role: "host" }, payloads: { message: 1, userInfo: 2, context: 3 },
              companions: { serving: "all", pairing: "manual" }, ledger: { capacity: 0 } }
            """)
        #expect(phone.device.name == "Phone")
        #expect(phone.payloads.message == 1)
        #expect(phone.payloads.userInfo == 2)
        #expect(phone.payloads.context == 3)
        #expect(phone.companions.serving == .all)
        #expect(phone.companions.pairing == .manual)
        #expect(phone.ledgerCapacity == 0)
        let plain = try read("{ device: { role: \"host\" } }")
        #expect(plain.companions == CompanionPolicy())
        #expect(plain.payloads == PayloadLimits())
        #expect(plain.times == LinkTimes())
        #expect(plain.access == .owner)
        #expect(plain.ledgerCapacity == 50_000)
        #expect(throws: (any Error).self) { try read("{ device: { role: \"host\" }, link: { pairingCode: \"1\" } }") }
    }

    @Test("Sections for services only are passed over, and any other unknown key is an error that names it")
    func unknown() throws {
        let sections = ["database", "control", "outbox", "log", "metrics", "usage"].map { "\($0): { x: 1 }" }
        let phone = try read("{ device: { role: \"host\" }, \(sections.joined(separator: ", ")) }")
        #expect(phone.device.role == .host)
        let error = #expect(throws: (any Error).self) { try read("{ device: { role: \"host\", colour: \"red\" } }") }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("device.json5:1: "))
        #expect(text.contains("colour"))
    }

    @Test("The largest payload is allowed, and one byte more is not", arguments: ["message", "userInfo", "context"])
    func payloads(_ key: String) throws {
        let largest = try read("{ device: { role: \"host\" }, payloads: { \(key): \(448 * 1_024) } }").payloads
        #expect([largest.message, largest.userInfo, largest.context].contains(458_752))
        let error = #expect(throws: (any Error).self) {
            try read("{ device: { role: \"host\" }, payloads: { \(key): \(448 * 1_024 + 1) } }")
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("payloads.\(key)"))
    }

    @Test("Each kind of content has the limit of its key")
    func limits() {
        var limits = PayloadLimits()
        (limits.message, limits.userInfo, limits.context) = (1, 2, 3)
        #expect(TransferKind.allCases.map(limits.limit) == [1, 1, 3, 2, 2, 2])
    }

    @Test("A name of 256 bytes is taken, and one of 257 is not")
    func name() throws {
        let longest = String(repeating: "n", count: 256)
        let name = try read("{ device: { role: \"host\", name: \"\(longest)\" } }").device.name
        #expect(name == longest)
        let error = #expect(throws: (any Error).self) {
            try read("{ device: { role: \"host\", name: \"\(longest)n\" } }")
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("is longer than 256 bytes"))
    }

    @Test("A condition may be words or settings of every kind of value")
    func condition() throws {
        func condition(_ value: String) throws -> LinkCondition {
            try read("{ device: { role: \"host\" }, link: { condition: \(value) } }").condition
        }
        let words = try condition("\"wifi out.bandwidth=9\"")
        var expected = LinkPreset.wifi.condition
        expected.outgoing.bytesPerSecond = 9
        #expect(words == expected)
        let settings = try condition("{ preset: \"wifi\", \"out.bandwidth\": 9, refuse: true, \"in.stall\": false }")
        expected.refuses = true
        #expect(settings == expected)
        for wrong in ["7", "true", "[\"wifi\"]", "{ bandwidth: [9] }", "\"wifi lan\"", "\"\""] {
            let error = #expect(throws: (any Error).self) { try condition(wrong) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("link.condition"), "\(wrong)")
        }
    }

    @Test("A state directory that is a file is an error")
    func stateIsFile() throws {
        let path = try scratch.write("state", "text")
        let error = #expect(throws: (any Error).self) { try read("{ device: { role: \"host\", state: \"state\" } }") }
        let text = error.map { "\($0)" }
        #expect(text == "create \(path): Not a directory")
    }

    @Test(
        "A period is from 10 milliseconds to one day",
        arguments: ["helloTimeout", "replyTimeout", "acknowledgementTimeout"])
    func periods(_ key: String) throws {
        func times(_ seconds: String) throws -> LinkTimes {
            try read("{ device: { role: \"host\" }, link: { \(key): \(seconds) } }").times
        }
        let shortest = try times("0.01")
        #expect([shortest.hello, shortest.reply, shortest.acknowledgement].contains(Duration.milliseconds(10)))
        let longest = try times("86400")
        #expect([longest.hello, longest.reply, longest.acknowledgement].contains(Duration.seconds(86_400)))
        for wrong in ["0.009", "86400.001", "0", "-1"] {
            let error = #expect(throws: (any Error).self) { try times(wrong) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("link.\(key)"), "\(text)")
        }
    }

    @Test("A heartbeat is shorter than the silence, and the first reconnection is not later than the longest")
    func relations() throws {
        let near = try read("{ device: { role: \"host\" }, link: { heartbeat: 1.5, silenceTimeout: 2 } }").times
        #expect(near.heartbeat < near.silence)
        let wrong = [
            (
                "{ device: { role: \"host\" }, link: { heartbeat: 2, silenceTimeout: 2 } }",
                "heartbeat (2.0 s) must be less than silenceTimeout (2.0 s)"
            ),
            (
                "{ device: { role: \"companion\" }, link: { firstReconnect: 2, longestReconnect: 1 } }",
                "firstReconnect (2.0 s) must be at most longestReconnect (1.0 s)"
            ),
        ]
        for (file, reason) in wrong {
            let error = #expect(throws: (any Error).self) { try read(file) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains(reason), "\(text)")
        }
    }

    @Test(
        "A number outside its range is an error that names its key",
        arguments: [
            ("payloads", "message", "0"), ("payloads", "userInfo", "0"), ("payloads", "context", "0"),
            ("ledger", "capacity", "-1"), ("ledger", "capacity", "10000001"), ("link", "seed", "-1"),
        ])
    func ranges(_ section: String, _ key: String, _ value: String) {
        let error = #expect(throws: (any Error).self) {
            try read("{ device: { role: \"host\" }, \(section): { \(key): \(value) } }")
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("\(section).\(key)"), "\(text)")
    }

    @Test("The largest ledger and the smallest payloads are allowed, and a device without a role is not")
    func extremes() throws {
        let phone = try read(
            """
            { device: { role: "host" }, ledger: { capacity: 10000000 }, link: { seed: 0 }, payloads: { message: 1 } }
            """)
        #expect(phone.ledgerCapacity == 10_000_000)
        #expect(phone.faultSeed == 0)
        #expect(phone.payloads.message == 1)
        let error = #expect(throws: (any Error).self) { try read("{ device: { name: \"n\" } }") }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("device.role: is missing; use “host” or “companion”"), "\(text)")
    }

    @Test("Paths are taken literally, also with spaces")
    func literalPaths() throws {
        let folder = scratch.path("a b")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        func read(_ text: String) throws -> DeviceConfiguration {
            try DeviceConfiguration(file: try scratch.write("a b/device.json5", text))
        }
        let plain = try read("{ device: { role: \"host\" } }")
        #expect(plain.socketPath == folder + "/link.sock")
        let named = try read("{ device: { role: \"host\", state: \"my state\" }, link: { socket: \"my link\" } }")
        #expect(named.socketPath == folder + "/my link")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["device.json5", "host", "my state"])
        let absolute = try read("{ device: { role: \"host\" }, link: { socket: \"/a b/link\" } }")
        #expect(absolute.socketPath == "/a b/link")
    }

    // MARK: - The identifier

    @Test("The identifier is created once and kept; a damaged one is an error that names the file")
    func identity() throws {
        let path = scratch.path("device")
        let first = try DeviceIdentity.identifier(at: path)
        let again = try DeviceIdentity.identifier(at: path)
        #expect(first == again)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == "\(first.uuidString)\n")
        _ = try scratch.write("device", "  \(first.uuidString.lowercased()) \n\n")
        let spaced = try DeviceIdentity.identifier(at: path)
        #expect(spaced == first)
        _ = try scratch.write("device", "no identifier")
        let error = #expect(throws: DeviceIdentity.Unreadable.self) { try DeviceIdentity.identifier(at: path) }
        #expect(error?.path == path)
    }

    // MARK: - The environment

    @Test("An environment with only one of role and socket describes a device incompletely")
    func incomplete() {
        let withoutRole = mistake(["WATCHLINK_ROLE": nil])
        #expect(withoutRole == "WATCHLINK_ROLE must be “host” or “companion”, not “”")
        let wrongRole = mistake(["WATCHLINK_ROLE": "Host"])
        #expect(wrongRole == "WATCHLINK_ROLE must be “host” or “companion”, not “Host”")
        for socket: String? in [nil, ""] {
            let withoutSocket = mistake(["WATCHLINK_SOCKET": socket])
            #expect(withoutSocket == "WATCHLINK_SOCKET must be the path of the link's socket")
        }
        let noIdentifier = mistake(["WATCHLINK_DEVICE_ID": "7"])
        #expect(noIdentifier == "WATCHLINK_DEVICE_ID: “7” is not a UUID")
        let level = mistake(["WATCHLINK_LOG_LEVEL": "loud"])
        #expect(level?.hasPrefix("WATCHLINK_LOG_LEVEL: “loud” must be one of ") == true)
    }

    @Test("What is missing in the environment has its default; the state is beside the socket")
    func defaults() throws {
        let made = try DeviceConfiguration(environment: environment)
        let phone = try #require(made)
        #expect(phone.device.name == "Phone")
        #expect(phone.stateDirectory == scratch.path("link.host"))
        #expect(phone.controlSocketPath == scratch.path("link.host/control.sock"))
        #expect(phone.pairingCode == nil)
        let again = try DeviceConfiguration(environment: environment)?.device.identifier
        #expect(again == phone.device.identifier)
    }

    @Test("The environment's pairing code and state directory are taken, and its code replaces that of a file")
    func pairingCode() throws {
        var environment = self.environment
        environment["WATCHLINK_ROLE"] = "companion"
        environment["WATCHLINK_PAIRING_CODE"] = "34"
        environment["WATCHLINK_DEVICE_STATE"] = scratch.path("there")
        let made = try DeviceConfiguration(environment: environment)
        let watch = try #require(made)
        #expect(watch.pairingCode == "34")
        #expect(watch.stateDirectory == scratch.path("there"))
        let file = try scratch.write(
            "watch.json5", "{ device: { role: \"companion\" }, link: { pairingCode: \"12\" } }")
        let ofFile = try DeviceConfiguration(environment: ["WATCHLINK_CONFIGURATION": file])?.pairingCode
        #expect(ofFile == "12")
        let ofBoth = try DeviceConfiguration(
            environment: ["WATCHLINK_CONFIGURATION": file, "WATCHLINK_PAIRING_CODE": "34"])?.pairingCode
        #expect(ofBoth == "34")
    }

    // MARK: - Faults

    @Test("Each fault from the start is written as it is read; those that need a running device are refused")
    func faults() throws {
        var device = DeviceConfiguration(
            device: Device(identifier: UUID(), role: .host, name: "phone"), socketPath: scratch.path("link"))
        #expect(device.faultTexts == [])
        let texts = [
            "drop out reply", "replay context", "reachability never silent", "activation delay=2000ms failures=1",
        ]
        for text in texts { try device.addFault(text) }
        #expect(device.faults.map(\.description) == ["drop out reply"])
        #expect(device.appFaults.map(\.description) == ["replay context"])
        #expect(device.reachabilityFault == ReachabilityFault(.never, isSilent: true))
        #expect(device.activationFault == ActivationFault(delay: .seconds(2), failures: 1))
        #expect(device.faultTexts == texts)
        for wrong in ["disk full", "release", "clear", "", "drop"] {
            #expect(throws: (any Error).self) { try device.addFault(wrong) }
        }
        #expect(device.faultTexts == texts)
    }
}
