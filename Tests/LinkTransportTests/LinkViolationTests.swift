import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Violations of the link's protocol")
struct LinkViolationTests {
    private static func package(_ command: Command) -> MessagePackage {
        MessagePackage(identifier: UUID(), command: command, status: .sent, timestamp: Date())
    }

    /// What ends a connection after these bytes.
    private static func end(_ bytes: [UInt8], isGreeted: Bool) throws -> String? {
        let host = try WireHost()
        if isGreeted { try host.greet() }
        host.peer.say(bytes)
        return host.end()
    }

    @Test("A frame before the hello has 8 KiB at most")
    func longHello() throws {
        let end = try Self.end([0, 0, 0x20, 0x01], isGreeted: false)
        #expect(end == "closed: frame too long: 8193 bytes; the limit is 8192")
    }

    @Test("A frame after the hello has 512 KiB at most")
    func longFrame() throws {
        let end = try Self.end([0, 0x08, 0, 0x01], isGreeted: true)
        #expect(end == "closed: frame too long: 524289 bytes; the limit is 524288")
    }

    @Test("A frame of the longest length is waited for, before the hello and after it", arguments: [false, true])
    func longestFrame(_ isGreeted: Bool) throws {
        let host = try WireHost()
        if isGreeted { try host.greet() }
        host.peer.say(isGreeted ? [0, 0x08, 0, 0] : [0, 0, 0x20, 0])
        host.peer.say([UInt8](repeating: 0, count: 8_191))
        try host.perform { _ in }
        let events = host.events.all
        #expect(events == (isGreeted ? ["established"] : []))
    }

    @Test("The first package is a hello")
    func noHello() throws {
        let frame = try [UInt8](PackageCodec.frame(Self.package(.sendMessageData)))
        let end = try Self.end(frame, isGreeted: false)
        #expect(end == "closed: hello expected: SendMessageData before a hello")
    }

    @Test("A host is not served by a host")
    func wrongRole() throws {
        let twin = Hello(device: Device(identifier: UUID(), role: .host, name: "h"))
        let frame = try [UInt8](PackageCodec.frame(twin.package(identifier: UUID(), timestamp: Date())))
        let end = try Self.end(frame, isGreeted: false)
        #expect(end == "closed: wrong role: the peer is a host; expected a companion")
    }

    @Test("There is one hello")
    func secondHello() throws {
        let frame = try [UInt8](PackageCodec.frame(Self.package(.hello)))
        let end = try Self.end(frame, isGreeted: true)
        #expect(end == "closed: hello repeated: a second hello on one connection")
    }

    @Test("What follows a violation in the same bytes is dropped, and only the violation is logged")
    func dropped() throws {
        let host = try WireHost()
        try host.greet()
        let violation = Acknowledgement(end: 1, arrival: .now).frame
        let package = try [UInt8](PackageCodec.frame(Self.package(.sendMessageData)))
        host.peer.say(violation + package)
        let end = host.end()
        #expect(end == "closed: bad acknowledgement: 1 bytes; expected 0 to 0")
        let events = host.events.all
        #expect(events.count == 2)
        let records = host.log.all.filter { $0.event == .peerMisbehaved }.map(\.fields)
        let error = ProtocolError(.badAcknowledgement, "1 bytes; expected 0 to 0")
        #expect(records == [[.connection(1), .device(host.device.identifier), .error(error)]])
    }

    @Test("An unknown command of the second version is answered as failed, and the connection lives on")
    func unknownCommand() throws {
        let host = try WireHost()
        try host.greet()
        let question = Self.package(.unrecognized)
        try host.say(question)
        let answer = try host.frame().package()
        #expect(answer.answers == question.identifier)
        #expect(answer.status == .failed)
        #expect(answer.errorMessage == "unknown command “Unrecognized”")
        let refused = host.log.all.filter { $0.event == .commandRefused }.map(\.fields)
        let device = host.device.identifier
        #expect(
            refused == [
                [.connection(1), .device(device), .command("Unrecognized"), .package(question.identifier)]
            ])
        try host.say(Self.package(.sendMessageData))
        host.events.expect { $0.count == 2 }
    }

    @Test("An unknown command of the first version ends the connection")
    func unknownCommandOfFirstVersion() throws {
        let host = try WireHost()
        try host.greet(ProtocolVersion.first...ProtocolVersion.first)
        try host.say(Self.package(.unrecognized))
        let end = host.end()
        #expect(end == "closed: unreadable package: unknown command “Unrecognized”")
    }
}
