import Foundation
import Testing

@testable import LinkProtocol

/// Tests with a conversation of programs of the first version, which must remain readable permanently.
@Suite("Frames of version 1")
struct Version1Tests {
    private static func packages(_ role: DeviceRole) throws -> [(package: MessagePackage, body: Data)] {
        try RecordedFrames("Version1/\(role.rawValue).frames", version: ProtocolVersion.first).packages
    }

    @Test("Every frame is read, and still has the same bytes when written", arguments: DeviceRole.allCases)
    func frames(_ role: DeviceRole) throws {
        try RecordedFrames("Version1/\(role.rawValue).frames", version: ProtocolVersion.first).expectSameBytes()
    }

    @Test("A hello of version 1 connects to this side, in version 1", arguments: DeviceRole.allCases)
    func hello(_ role: DeviceRole) throws {
        var machine = ConnectionStateMachine(role: role.counterpart, times: LinkTimes())
        machine.opened(at: at(0))
        let hello = try #require(try Self.packages(role).first).package
        let action = machine.received(hello, at: at(1))
        guard case .establish(let greeting, let version) = action else {
            Issue.record("no connection: \(action)")
            return
        }
        #expect(version == 1)
        #expect(greeting.versions == 1...1)
        #expect(greeting.device.role == role)
        #expect(!greeting.device.name.isEmpty)
        #expect(greeting.state == DeviceState())
    }

    @Test("The recording is a complete conversation with each command of version 1 that the programs used")
    func conversation() throws {
        let commands = Set(try DeviceRole.allCases.flatMap { try Self.packages($0).map(\.package.command) })
        #expect(
            commands
                == Set(Command.allCases).subtracting([
                    .heartbeat, .cancel, .state, .transferCurrentComplicationUserInfo, .unrecognized,
                ]))
        let (companion, host) = (try Self.packages(.companion), try Self.packages(.host))
        #expect(companion.filter { $0.package.command == .sendMessageData }.count == 3)
        let chunk = try #require(companion.first { $0.package.command == .fileChunk }).package
        let bytes = try FilePackage.chunk(in: chunk).bytes.count
        #expect(bytes == 10_240)
        let offer = try #require(host.first { $0.package.command == .transferFile && $0.package.answers == nil })
            .package
        let read = try FileOffer(offer)
        #expect(read == FileOffer(name: "file.bin", size: 10_240, metadata: nil))
    }
}
