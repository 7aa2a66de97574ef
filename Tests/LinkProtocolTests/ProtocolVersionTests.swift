import Foundation
import KeyedArchive
import Testing

@testable import LinkProtocol

@Suite("Protocol versions")
struct ProtocolVersionTests {
    private typealias Action = ConnectionStateMachine.ReceivedAction

    /// Returns the reaction of a side with some versions to a peer with others.
    private static func meeting(_ own: ClosedRange<Int>, _ peer: ClosedRange<Int>) throws -> Action {
        var machine = ConnectionStateMachine(role: .host, times: LinkTimes(), versions: own)
        machine.opened(at: at(0))
        return machine.received(try hello(.companion, versions: peer), at: at(1))
    }

    @Test(
        "Both sides use the highest version that they share",
        arguments: [
            (1...1, 1...1, 1), (1...2, 1...1, 1), (1...1, 1...2, 1), (1...2, 1...2, 2), (1...2, 2...9, 2),
            (2...3, 1...2, 2),
        ])
    func shares(_ own: ClosedRange<Int>, _ peer: ClosedRange<Int>, _ expected: Int) throws {
        let action = try Self.meeting(own, peer)
        guard case .establish(let hello, let version) = action else {
            Issue.record("no connection: \(action)")
            return
        }
        #expect(version == expected)
        #expect(hello.versions == peer)
    }

    @Test("Sides without a common version get an error with both ranges")
    func sharesNone() throws {
        let newer = try Self.meeting(1...2, 3...4)
        #expect(
            newer
                == .fail(
                    ProtocolError(.versionMismatch, "the peer speaks versions 3 to 4, this side versions 1 to 2")))
        let older = try Self.meeting(2...2, 1...1)
        #expect(older == .fail(ProtocolError(.versionMismatch, "the peer speaks version 1, this side version 2")))
    }

    @Test("A hello of the first version has the single key that its peers compare, and the same value")
    func firstVersion() throws {
        let content = try hello(.companion).content(.badHello)
        #expect(content["protocolVersion"] == .integer(1))
        #expect(content["highestProtocolVersion"] == .integer(2))
        let highest = try hello(.companion, versions: 1...1).content(.badHello)["highestProtocolVersion"]
        #expect(highest == nil)
    }

    @Test(
        "An invalid range is refused",
        arguments: [.integer(0), .integer(.min), .string("2"), .data(Data())] as [PropertyListValue])
    func badRange(_ highest: PropertyListValue) throws {
        let content = try hello(.companion, versions: 1...1).content(.badHello)
        guard case .dictionary(var entries) = content else {
            Issue.record("a hello that is no dictionary: \(content)")
            return
        }
        entries["highestProtocolVersion"] = highest
        let package = try MessagePackage(.hello, content: entries, identifier: UUID(), timestamp: Date())
        let error = #expect(throws: ProtocolError.self) { try Hello(package) }
        #expect(error?.description == "bad hello: “highestProtocolVersion” must be an integer of at least 1")
    }

    // MARK: - Commands

    /// Returns a package as sent by a newer program.
    private static func package(_ command: String, answers: UUID? = nil) throws -> MessagePackage {
        let message = MessagePackage(
            identifier: UUID(), command: .heartbeat, status: .sent, answers: answers, timestamp: Date())
        // The same number of letters, so that the archive's lengths stay valid.
        let known = Command.heartbeat.rawValue
        try #require(command.utf8.count == known.utf8.count)
        var frame = try PackageCodec.frame(message)
        let place = try #require(frame.firstRange(of: Data(known.utf8)))
        frame.replaceSubrange(place, with: Data(command.utf8))
        return try frame.dropFirst(4).withUnsafeBytes(PackageCodec.package)
    }

    private static func machine(_ versions: ClosedRange<Int>) throws -> ConnectionStateMachine {
        var machine = ConnectionStateMachine(role: .host, times: LinkTimes())
        machine.opened(at: at(0))
        _ = machine.received(try hello(.companion, versions: versions), at: at(1))
        return machine
    }

    @Test("An unknown command is answered as failed, under its own name, and the connection continues")
    func unknownCommand() throws {
        let package = try Self.package("Telepathy")
        #expect(package.command == .unrecognized)
        #expect(package.commandName == "Telepathy")
        var machine = try Self.machine(1...2)
        #expect(machine.received(package, at: at(2)) == .refuse)
        let isClosed = machine.isClosed
        #expect(!isClosed)

        let answer = try PackageCodec.frame(package.refusal(identifier: UUID(), timestamp: Date())).dropFirst(4)
            .withUnsafeBytes(PackageCodec.package)
        #expect(answer.status == .failed)
        #expect(answer.answers == package.identifier)
        #expect(answer.commandName == "Telepathy")
        #expect(answer.errorMessage == "unknown command “Telepathy”")
    }

    @Test("An answer to an unknown command is not answered itself")
    func unknownAnswer() throws {
        var machine = try Self.machine(1...2)
        let came = machine.received(try Self.package("Telepathy", answers: UUID()), at: at(2))
        #expect(came == .deliver)
    }

    @Test("In the first version an unknown command closes the connection, as before")
    func unknownCommandThen() throws {
        var machine = try Self.machine(1...1)
        let came = machine.received(try Self.package("Telepathy"), at: at(2))
        #expect(came == .fail(ProtocolError(.unreadablePackage, "unknown command “Telepathy”")))
        let isClosed = machine.isClosed
        #expect(isClosed)
    }

    @Test("Unknown commands keep their names, however often they arrive")
    func templates() throws {
        let templates = PackageTemplates()
        for _ in 0..<30 {
            let package = try Self.package("Telepathy")
            let frame = try PackageCodec.frame(package)
            let read = try frame.dropFirst(4).withUnsafeBytes { body throws(ProtocolError) in
                try templates.package(body, from: nil)
            }
            #expect(read.commandName == "Telepathy")
            #expect(read.identifier == package.identifier)
            let again = try templates.withFrame(read) { Data($0) }
            #expect(again == frame)
        }
    }
}
