import Foundation
import KeyedArchive
import LinkProtocol
import Testing

/// A package as a program with other commands archives it.
private final class NamedPackage: NSObject, NSSecureCoding, ArchiveNaming {
    static let archiveName = "MessagePackage"
    static let supportsSecureCoding = true
    private let command: String

    init(command: String) { self.command = command }

    func encode(with coder: NSCoder) {
        coder.encode(UUID(), forKey: "identifier")
        coder.encode(command, forKey: "command")
        coder.encode("Sent", forKey: "status")
        coder.encode(Date(timeIntervalSince1970: 0), forKey: "timestamp")
        coder.encode(true, forKey: "wantsReply")
    }

    init?(coder: NSCoder) { return nil }
}

@Suite("Archives of packages")
struct PackageArchiveTests {
    private static func read(_ package: NamedPackage) throws -> MessagePackage {
        try KeyedArchiver.archivedData(withRootObject: package, requiringSecureCoding: true)
            .withUnsafeBytes(PackageCodec.package)
    }

    @Test(
        "The name of an unknown command has at most 100 bytes",
        arguments: [
            (String(repeating: "x", count: 100), true), (String(repeating: "x", count: 101), false),
            (String(repeating: "ü", count: 50), true), (String(repeating: "ü", count: 50) + "x", false), ("", true),
        ])
    func names(_ name: String, isRead: Bool) throws {
        let package = NamedPackage(command: name)
        guard isRead else {
            let error = #expect(throws: ProtocolError.self) { try Self.read(package) }
            #expect(error?.code == .unreadablePackage)
            return
        }
        let read = try Self.read(package)
        #expect(read.command == .unrecognized)
        #expect(read.commandName == name)
        #expect(read.status == .sent)
        #expect(read.wantsReply)
        #expect(!read.startsRound)
    }

    @Test("A known command is read from such an archive, too, and has its own name", arguments: Command.allCases)
    func known(_ command: Command) throws {
        let read = try Self.read(NamedPackage(command: command.rawValue))
        #expect(read.command == command)
        #expect(read.commandName == command.rawValue)
    }

    @Test("A package expects no reply, starts no round and carries nothing unless something else is said")
    func plain() {
        let package = MessagePackage(
            identifier: UUID(), command: .transferUserInfo, status: .sent, timestamp: Date(timeIntervalSince1970: 0))
        #expect(!package.wantsReply)
        #expect(!package.startsRound)
        #expect(package.dataPackage == nil)
        #expect(package.errorMessage == nil)
        #expect(package.errorCode == nil)
        #expect(package.answers == nil)
        #expect(package.origin == nil)
    }

    @Test("The start of a round and the wish for a reply are each written", arguments: [false, true], [false, true])
    func flags(startsRound: Bool, wantsReply: Bool) throws {
        let package = MessagePackage(
            identifier: UUID(), command: .transferUserInfo, status: .sent, wantsReply: wantsReply,
            startsRound: startsRound, timestamp: Date(timeIntervalSince1970: 0))
        let read = try PackageCodec.frame(package).dropFirst(4).withUnsafeBytes(PackageCodec.package)
        #expect(read == package)
        #expect(read.startsRound == startsRound)
        #expect(read.wantsReply == wantsReply)
    }

    @Test("A package that is marked with its sender, or with another status, keeps everything else")
    func copies() {
        let (identifier, device, answers) = (UUID(), UUID(), UUID())
        func package(_ status: DeliveryStatus, _ origin: UUID?, _ message: String?, _ data: Data) -> MessagePackage {
            MessagePackage(
                identifier: identifier, command: .sendMessage, status: status, dataPackage: data,
                errorMessage: message, answers: answers, wantsReply: true, startsRound: true,
                timestamp: Date(timeIntervalSince1970: 0), origin: origin)
        }
        let sent = package(.sent, nil, "no", Data([1]))
        let marked = sent.from(device)
        #expect(marked == package(.sent, device, "no", Data([1])))
        let failed = marked.with(status: .failed)
        #expect(failed == package(.failed, device, nil, Data([1])))
        let replied = marked.with(status: .replied, dataPackage: Data([2]), errorMessage: "yes")
        #expect(replied == package(.replied, device, "yes", Data([2])))
    }
}
