import Foundation
import Testing

@testable import LinkProtocol

/// Tests with a conversation of programs of the first version, which must remain readable permanently.
@Suite("Frames of version 1")
struct Version1Tests {
    private static func stream(_ role: DeviceRole) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: folder.appending(path: "Version1/\(role.rawValue).frames")))
    }

    private static func packages(_ role: DeviceRole) throws -> [(package: MessagePackage, body: Data)] {
        var receiver = FrameReceiver(PieceBudget())
        var packages: [(MessagePackage, Data)] = []
        try stream(role).withUnsafeBytes { bytes in
            receiver.begin(bytes)
            while let item = try receiver.next({ body throws(ProtocolError) in
                (try PackageCodec.package(body), Data(body))
            }) {
                guard case .package(let package, _) = item else {
                    Issue.record("a frame that is no package: \(item)")
                    return
                }
                packages.append(package)
                if packages.count == 1 { receiver.greeted(version: ProtocolVersion.first) }
            }
            receiver.end()
        }
        #expect(!receiver.isInsidePackage)
        return packages
    }

    @Test("Every frame is read, and still has the same bytes when written", arguments: DeviceRole.allCases)
    func frames(_ role: DeviceRole) throws {
        let packages = try Self.packages(role)
        let unknown = packages.filter { $0.package.command == .unrecognized }.map(\.package.commandName)
        #expect(unknown == [])
        for (package, body) in packages {
            let frame = try PackageCodec.frame(package).dropFirst(FrameHeader.bytes)
            #expect(frame == body, "\(package.commandName)")
        }
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
