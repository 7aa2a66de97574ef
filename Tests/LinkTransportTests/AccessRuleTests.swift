import Foundation
import Glibc
import Processes
import Testing

@testable import Files
@testable import LinkTransport

@Suite("Who may connect")
struct AccessRuleTests {
    private static let complete = UserNamespace(user: 1000, isComplete: true)
    private static let partial = UserNamespace(user: 1000, isComplete: false)
    private static let rules: [AccessRule] = [.owner, .group(50), .users([2000]), .users([UserNamespace.overflow])]

    private func peer(_ user: UInt32, _ groups: Set<UInt32> = []) -> PeerCredentials {
        PeerCredentials(user: user, process: 1, groups: groups)
    }

    @Test("The process's own user and root may always; no list shuts them out", arguments: rules)
    func always(_ rule: AccessRule) {
        for namespace in [Self.complete, Self.partial] {
            #expect(rule.allows(peer(1000), in: namespace))
            #expect(rule.allows(peer(0), in: namespace))
        }
    }

    @Test("A stranger may only by a group or a list")
    func strangers() {
        let stranger = peer(2000, [50, 100])
        #expect(!AccessRule.owner.allows(stranger, in: Self.complete))
        #expect(AccessRule.group(50).allows(stranger, in: Self.complete))
        #expect(AccessRule.group(100).allows(stranger, in: Self.complete))
        #expect(!AccessRule.group(51).allows(stranger, in: Self.complete))
        #expect(AccessRule.users([7, 2000]).allows(stranger, in: Self.complete))
        #expect(!AccessRule.users([50, 100]).allows(stranger, in: Self.complete))
    }

    @Test(
        "The number for everybody who has none is let in by no rule, not even where the process itself seems to have it"
    )
    func overflow() {
        let everybody = peer(UserNamespace.overflow, [UserNamespace.overflow, 50])
        let nobody = UserNamespace(user: UserNamespace.overflow, isComplete: false)
        for rule in Self.rules {
            #expect(!rule.allows(everybody, in: Self.partial), "\(rule)")
            #expect(!rule.allows(everybody, in: nobody), "\(rule)")
        }
        #expect(
            !AccessRule.group(UserNamespace.overflow).allows(peer(2000, [UserNamespace.overflow]), in: Self.partial))
        // Where each user has a number, it is one like others.
        #expect(AccessRule.owner.allows(everybody, in: UserNamespace(user: UserNamespace.overflow, isComplete: true)))
        #expect(!AccessRule.owner.allows(everybody, in: Self.complete))
    }

    @Test(
        "A namespace knows every user if it maps all of them to themselves",
        arguments: [
            ("         0          0 4294967295\n", true), ("0 1000 1\n", false), ("0 0 1\n1000 1000 1\n", false),
            ("0 0 65536\n", false), ("0 100000 4294967295\n", false), ("", false),
        ])
    func maps(_ map: String, _ isComplete: Bool) {
        #expect(UserNamespace(user: 0, map: Data(map.utf8)).isComplete == isComplete)
        #expect(!UserNamespace(user: 0, map: nil).isComplete)
    }

    @Test("A peer's user and all of its groups are the kernel's")
    func credentials() throws {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let near = Descriptor(pair[0])
        defer { close(pair[1]) }
        let peer = try PeerCredentials(of: near)
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = Int(getgroups(Int32(groups.count), &groups))
        #expect(peer.user == geteuid())
        #expect(peer.process == getpid())
        #expect(peer.groups == Set(groups.prefix(count)).union([getegid()]))
    }

    @Test("What is no socket has no peer")
    func noPeer() {
        let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let error = Self.failure(Descriptor(number))
        #expect(error == SystemError("read the credentials of", on: "a peer", code: ENOTSOCK))
    }

    private static func failure(_ descriptor: borrowing Descriptor) -> SystemError? {
        do throws(SystemError) {
            _ = try PeerCredentials(of: descriptor)
            return nil
        } catch {
            return error
        }
    }

    @Test("A socket file is open to those who may connect")
    func fileModes() {
        let modes = Self.rules.map(\.fileMode)
        #expect(modes == [0o600, 0o660, 0o666, 0o666])
    }
}
