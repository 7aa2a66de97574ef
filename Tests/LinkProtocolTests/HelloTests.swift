import Foundation
import KeyedArchive
import Testing

@testable import LinkProtocol

@Suite("Hellos")
struct HelloTests {
    private struct NoDictionary: Error {}

    /// Returns a watch's hello with changed entries.
    private static func package(_ changes: [String: PropertyListValue?]) throws -> MessagePackage {
        guard case .dictionary(var entries) = try hello(.companion).content(.badHello) else { throw NoDictionary() }
        for (key, value) in changes { entries[key] = value }
        return try MessagePackage(.hello, content: entries, identifier: UUID(), timestamp: Date())
    }

    @Test("A hello survives the wire, with its state and its pairing code, and without one")
    func wire() throws {
        for code in [nil, "12345678"] {
            var state = DeviceState()
            state.isWristDown = true
            let sent = Hello(device: device(.companion), state: state, pairingCode: code)
            let read = try Hello(sent.package(identifier: UUID(), timestamp: Date()))
            #expect(read == sent)
        }
    }

    @Test("A pairing code has at most 64 bytes; a longer one, or one that is no text, is as good as none")
    func pairingCodes() throws {
        let most = String(repeating: "7", count: 64)
        let wide = String(repeating: "ü", count: 32)
        let cases: [(PropertyListValue?, String?)] = [
            (nil, nil), (.string(""), ""), (.string(most), most), (.string(most + "7"), nil), (.string(wide), wide),
            (.string(wide + "7"), nil), (.integer(12_345_678), nil),
        ]
        for (value, expected) in cases {
            let code = try Hello(Self.package(["pairingCode": value])).pairingCode
            #expect(code == expected)
        }
    }

    @Test("A device's name has at most 256 bytes, and may be empty")
    func names() throws {
        let most = String(repeating: "x", count: 256)
        for name in ["", most] {
            let read = try Hello(Self.package(["deviceName": .string(name)])).device.name
            #expect(read == name)
        }
        let package = try Self.package(["deviceName": .string(most + "x")])
        let error = #expect(throws: ProtocolError.self) { try Hello(package) }
        #expect(error == ProtocolError(.badHello, "“deviceName” is missing or longer than 256 bytes"))
    }

    @Test("Each missing or invalid entry is named, with the code of a bad hello")
    func errors() throws {
        let role = "“role” is missing or not host or companion"
        let identifier = "“deviceIdentifier” is missing or not a UUID"
        let name = "“deviceName” is missing or longer than 256 bytes"
        let version = "“protocolVersion” is missing"
        let cases: [(String, PropertyListValue?, String)] = [
            ("role", nil, role), ("role", .string("phone"), role), ("role", .integer(1), role),
            ("deviceIdentifier", nil, identifier), ("deviceIdentifier", .string("1"), identifier),
            ("deviceIdentifier", .data(Data(count: 16)), identifier), ("deviceName", nil, name),
            ("deviceName", .integer(1), name), ("protocolVersion", nil, version),
            ("protocolVersion", .string("1"), version),
        ]
        for (key, value, text) in cases {
            let package = try Self.package([key: value])
            let error = #expect(throws: ProtocolError.self) { try Hello(package) }
            #expect(error == ProtocolError(.badHello, text))
        }
        let asleep = try Self.package(["state": .string("asleep")])
        let error = #expect(throws: ProtocolError.self) { try Hello(asleep) }
        #expect(error == ProtocolError(.badState, "“state” is not a state of an app"))
    }

    @Test("The highest version may be the lowest one")
    func oneVersion() throws {
        let versions = try Hello(Self.package(["highestProtocolVersion": .integer(1)])).versions
        #expect(versions == 1...1)
    }

    @Test("To a peer that speaks every version, this side speaks its highest one")
    func everyVersion() throws {
        let package = try Self.package(["protocolVersion": .integer(.min), "highestProtocolVersion": .integer(.max)])
        var machine = ConnectionStateMachine(role: .host, times: LinkTimes())
        machine.opened(at: at(0))
        let action = machine.received(package, at: at(1))
        guard case .establish(_, let version) = action else {
            Issue.record("no connection: \(action)")
            return
        }
        #expect(version == 2)
    }

    @Test("Versions that are far from those of this side are refused by name")
    func farVersions() throws {
        for (lowest, highest) in [(3, .max), (-5, 0), (.min, 0)] as [(Int64, Int64)] {
            let package = try Self.package([
                "protocolVersion": .integer(lowest), "highestProtocolVersion": .integer(highest),
            ])
            var machine = ConnectionStateMachine(role: .host, times: LinkTimes())
            machine.opened(at: at(0))
            let action = machine.received(package, at: at(1))
            let error = ProtocolError(
                .versionMismatch, "the peer speaks versions \(lowest) to \(highest), this side versions 1 to 2")
            #expect(action == .fail(error))
        }
    }

    @Test("A device's current connection is the one with the latest hello, until that one is closed")
    func peers() {
        let device = UUID()
        var table = PeerTable<Int>()
        let former = [1, 2].map { table.established(device, on: $0) }
        #expect(former == [nil, 1])
        let closed = [(1, device), (2, UUID()), (2, device), (2, device)].map { table.closed($0, of: $1) }
        #expect(closed == [false, false, true, false])
        #expect(table[device] == nil)
    }
}
