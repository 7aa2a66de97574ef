import EventLog
import Files
import Foundation
import Glibc
import Processes
import TestSupport
import Testing

@testable import LinkTransport

/// In processes of their own, as they change who these are. Only root can do that.
@Suite("Peers of other users and groups", .enabled(if: geteuid() == 0))
struct OtherPeersTests {
    @Test("A user who is not allowed gets the farewell, which is logged; one who is allowed is served")
    func strangers() async {
        await #expect(processExitsWith: .success) { try OtherPeersTests.comeAsOthers() }
    }

    @Test("All groups of a peer are known, few or many")
    func groups() async {
        await #expect(processExitsWith: .success) { try OtherPeersTests.joinGroups() }
    }

    /// Connects to a listener that admits one other user, first as somebody else.
    static func comeAsOthers() throws {
        // Who this process is must be known before it changes.
        let own = UserNamespace.current.user
        #expect(own == 0)
        let scratch = try Scratch()
        let path = scratch.path("a.sock")
        let isOpen = chmod(scratch.path, 0o755) == 0
        try #require(isOpen)
        let (log, accepted) = (Collector<LogRecord>(), Collector<Bool>())
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let listener = try SocketListener(
            loop: loop, path: path, access: .users([1_234]), logger: collectingLogger(log),
            farewell: Data("not you\n".utf8)
        ) { (descriptor: consuming Descriptor) in accepted.add(descriptor.number >= 0) }
        try loop.perform { try listener.start() }
        guard let stranger = try connect(to: path, as: 60_001) else { return }
        let line = try stranger.readLine()
        #expect(line == Data("not you".utf8))
        let end = try stranger.readLine()
        #expect(end == nil)
        let events = log.all.map(\.event)
        #expect(events == [.peerRefused])
        let fields = log.all.map(\.fields)
        let expected: [LogField] = [
            .path(path), .user(60_001), .process(getpid()), .reason("user not allowed"),
        ]
        #expect(fields == [expected])
        let early = accepted.all
        #expect(early == [])
        guard let guest = try connect(to: path, as: 1_234) else { return }
        accepted.expect { $0 == [true] }
        withExtendedLifetime((guest, scratch)) {}
    }

    /// Connects as another user; nil if this process cannot be that user, or that user cannot come to the path.
    private static func connect(to path: String, as user: uid_t) throws -> BlockingStream? {
        guard seteuid(user) == 0 else { return nil }
        defer { _ = seteuid(0) }
        do throws(SystemError) {
            return try BlockingStream(connectingTo: path, timeout: .seconds(20))
        } catch {
            guard error.code == EACCES else { throw error }
            return nil
        }
    }

    /// Becomes a member of so many groups that they do, and do not, fit into the room that is tried first.
    static func joinGroups() throws {
        for count in [1, 31, 32, 33, 200] {
            let groups = (1...count).map { gid_t($0 + 5_000) }
            guard setgroups(groups.count, groups) == 0 else { return }
            var pair: [Int32] = [-1, -1]
            let result = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
            try #require(result == 0)
            let near = Descriptor(pair[0])
            defer { _ = close(pair[1]) }
            let found = try PeerCredentials(of: near).groups
            #expect(found == Set(groups).union([getegid()]), "\(count)")
        }
    }
}
