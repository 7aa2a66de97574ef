import Foundation
import Testing

@testable import LinkProtocol

/// Conversations of released versions, which must remain readable permanently: `Tests/Formats`.
@Suite("Frames of released versions")
struct FormatTests {
    static let files: [String] = {
        let folder = RecordedFrames.tests.appending(path: "Formats").path(percentEncoded: false)
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".frames") }.map { "Formats/\($0)" }.sorted()
    }()

    @Test("There are conversations")
    func count() { #expect(Self.files.count >= 4) }

    @Test("Every frame is read, and still has the same bytes when written", arguments: files)
    func frames(_ file: String) throws {
        let frames = try RecordedFrames(file, version: ProtocolVersion.second)
        #expect(frames.packages.count >= 7)
        try frames.expectSameBytes()
    }

    @Test("A hello connects to this side, in the version that it was sent for", arguments: files)
    func hello(_ file: String) throws {
        let hello = try #require(try RecordedFrames(file, version: ProtocolVersion.second).packages.first).package
        let role: DeviceRole = file.hasSuffix(".host.frames") ? .host : .companion
        var machine = ConnectionStateMachine(role: role.counterpart, times: LinkTimes())
        machine.opened(at: at(0))
        let action = machine.received(hello, at: at(1))
        guard case .establish(let greeting, let version) = action else {
            Issue.record("no connection: \(action)")
            return
        }
        #expect(version == ProtocolVersion.second)
        #expect(greeting.versions == ProtocolVersion.first...ProtocolVersion.second)
        #expect(greeting.device.role == role)
    }

    /// The conversations have none: only a queue or a conditioned link divides a package.
    @Test("A piece has the bytes that Wire.md describes, and is read from them")
    func piece() throws {
        let header = PieceHeader(stream: 5, length: 0x203, offset: 0x104)
        let bytes: [UInt8] = [0x81, 0, 0, 13] + [0, 0, 0, 5] + [0, 0, 2, 3] + [0, 0, 1, 4] + [9]
        #expect(header.frame(count: 1, wantsAcknowledgement: true) + [9] == bytes)
        let read = try Array(bytes.dropFirst(FrameHeader.bytes)).withUnsafeBytes { try PieceHeader($0) }
        #expect(read == header)
    }

    @Test("The devices used each command that apps cause")
    func commands() throws {
        let files = Self.files.filter { $0.contains("/devices.") }
        let packages = try files.flatMap { try RecordedFrames($0, version: ProtocolVersion.second).packages }
        let commands = Set(packages.map(\.package.command))
        let missing = Set(Command.allCases).subtracting(commands)
        // A heartbeat takes ten seconds; nothing was cancelled and nothing unknown was sent.
        #expect(missing.isSubset(of: [.heartbeat, .cancel, .state, .goodbye, .unrecognized]), "\(missing)")
    }
}
