import Foundation
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
}
