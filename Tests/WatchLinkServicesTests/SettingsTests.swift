import Foundation
import Glibc
import LinkProtocol
import LinkTransport
import ServiceRuntime
import TestSupport
import Testing
import WatchConnectivity

@testable import WatchLinkServices

@Suite("Settings")
struct SettingsTests {
    private let scratch: Scratch
    private var directory: String { scratch.path }

    init() throws { scratch = try Scratch() }

    func settings(_ role: DeviceRole, config: String? = nil) throws -> ServiceSettings {
        var values = ["state-directory": directory]
        values["config"] = config
        return try ServiceSettings(role: role, options: ParsedOptions(values: values, operands: []))
    }

    /// The root of the package, from this file's place in it.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("The sample configurations are valid and say the defaults", arguments: DeviceRole.allCases)
    func samples(_ role: DeviceRole) throws {
        let plain = try settings(role)
        let sample = try settings(role, config: Self.root.appending(path: "Config/\(role.rawValue).json5").path())
        #expect(sample.device.times == plain.device.times)
        #expect(sample.device.reconnect == plain.device.reconnect)
        #expect(sample.device.access == plain.device.access)
        #expect(sample.device.companions == plain.device.companions)
        #expect(sample.device.payloads == plain.device.payloads)
        #expect(sample.device.ledgerCapacity == plain.device.ledgerCapacity)
        #expect(sample.device.device == plain.device.device)
        #expect(sample.device.socketPath == plain.device.socketPath)
        #expect(sample.outboxBackoff == plain.outboxBackoff)
        #expect(sample.log == plain.log)
        #expect(sample.controlSocket == plain.controlSocket)
        #expect(sample.database == plain.database)
    }

    @Test("A device's identifier stays the same")
    func identity() throws {
        #expect(try settings(.host).device.device.identifier == settings(.host).device.device.identifier)
        #expect(try settings(.host).device.device.identifier != settings(.companion).device.device.identifier)
        try Data("nonsense".utf8).write(to: URL(filePath: directory + "/host.device"))
        #expect(throws: DeviceIdentity.Unreadable.self) { try settings(.host) }
    }

    @Test(
        "Every setting is in a sample file, and every key of the samples is a setting", arguments: DeviceRole.allCases)
    func catalogue(_ role: DeviceRole) throws {
        let path = Self.root.appending(path: "Config/\(role.rawValue).json5").path()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let listing = try settings(role, config: path).listing()
        for setting in listing.dropFirst() {
            let word = setting.key.split(separator: ".").last.map(String.init) ?? ""
            #expect(text.contains(word + ":") || setting.key == "device.identifier", "\(setting.key)")
        }
        // What the sample sets comes from the file, the rest is commented out there.
        let unset = listing.dropFirst().filter { $0.source == .builtIn }.map(\.key)
        let commented = ["device.identifier", "link.allowedUsers", "link.pairingCode", "log.levels"]
        #expect(Set(unset).isSubset(of: commented))
    }

    @Test("A value says where it came from: default, file and line, environment, option")
    func sources() throws {
        let file = try scratch.write("host.json5", "{\n  log: {\n    level: \"debug\",\n    format: \"json\" },\n}")
        let options = ParsedOptions(values: ["config": file, "log-format": "text"], operands: [])
        let environment = [StateDirectory.environmentVariable: directory]
        let settings = try ServiceSettings(role: .host, options: options, isDry: true)
        let listing = Dictionary(
            settings.listing(environment: environment).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        #expect(listing["log.level"]?.source == .file(path: file, line: 3))
        #expect(listing["log.format"] == Setting("log.format", "text", .option(name: "log-format")))
        #expect(listing["ledger.capacity"] == Setting("ledger.capacity", 50_000, .builtIn))
        #expect(listing["state directory"]?.source == .environment(name: StateDirectory.environmentVariable))
    }

    @Test("A check finds every mistake, not only the first, and makes nothing")
    func mistakes() throws {
        let text = "{ log: { level: \"loud\" }, link: { heartbeat: -1, soket: \"x\" }, payloads: 3 }"
        let file = try scratch.write("bad.json5", text)
        let state = directory + "/never"
        let options = ParsedOptions(values: ["config": file, "state-directory": state], operands: [])
        let found = ServiceSettings.mistakes(role: .host, options: options).map { "\($0)" }
        #expect(found.count == 4)
        for words in [
            "log.level: “loud” must be one of", "link.heartbeat: must be a number",
            "link.soket: is not a setting; did you mean “socket”?", "payloads: must be an object",
        ] {
            #expect(found.contains { $0.hasPrefix(file + ":1: ") && $0.contains(words) }, "\(words): \(found)")
        }
        #expect(!FileManager.default.fileExists(atPath: state))
        #expect(
            ServiceSettings.mistakes(
                role: .host, options: ParsedOptions(values: ["state-directory": state], operands: [])
            ).isEmpty)
    }

    @Test("Files that others may read are refused, with what to do")
    func exposures() throws {
        let plain = try settings(.host)
        #expect(plain.exposures.isEmpty)
        #expect(chmod(directory, 0o755) == 0)
        #expect(
            plain.exposures.map(\.description) == [
                "\(directory) has mode 0755, which lets others in: chmod 0711 \(directory)"
            ])
        #expect(chmod(directory, 0o700) == 0)
        try Data().write(to: URL(filePath: directory + "/quizzes.sqlite"))
        #expect(chmod(directory + "/quizzes.sqlite", 0o640) == 0)
        #expect(plain.exposures.map(\.remedy) == ["chmod 0600 \(directory)/quizzes.sqlite"])
        // Others may pass through the state directory, as they must to an open socket, and through no other.
        #expect(chmod(directory + "/quizzes.sqlite", 0o600) == 0)
        #expect(chmod(directory, 0o711) == 0)
        #expect(plain.exposures.isEmpty)
        let device = directory + "/host"
        try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
        #expect(chmod(device, 0o711) == 0)
        #expect(plain.exposures.map(\.remedy) == ["chmod 0700 \(device)"])
    }

    @Test("The number that stands for everybody cannot be let in")
    func everybody() throws {
        let file = try scratch.write("host.json5", "{ link: { allowedUsers: [1000, 65534] } }")
        let error = #expect(throws: ConfigurationError.self) { try settings(.host, config: file) }
        #expect("\(try #require(error))".contains("link.allowedUsers: has 65534, which stands for every user"))
    }
}
