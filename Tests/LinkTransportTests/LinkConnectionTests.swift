import EventLog
import Files
import Foundation
import Glibc
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Link connections")
struct LinkConnectionTests {
    /// A host's connection on a loop of its own, and the peer's end of its socket.
    private final class Host: Sendable {
        private let loop: EventLoop
        private let peer: Int32
        let events = Collector<String>()

        /// Opens a connection.
        ///
        /// - Parameter limit: The bytes of incomplete hellos that may be kept.
        init(limit: Int) throws {
            var ends: [Int32] = [0, 0]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let result = socketpair(AF_UNIX, kind, 0, &ends)
            try #require(result == 0)
            peer = ends[1]
            loop = try EventLoop(name: "host")
            let (turns, heard, number) = (loop, events, ends[0])
            turns.execute {
                let connection = LinkConnection(
                    loop: turns, descriptor: Descriptor(number), number: 1, role: .host, times: LinkTimes(),
                    conditioner: LinkConditioner(loop: turns, LinkCondition(), seed: 1, logger: .silent),
                    templates: PackageTemplates(), greetings: HelloBudget(limit: limit), memory: PieceBudget(),
                    logger: .silent)
                let hello = Hello(device: Device(identifier: UUID(), role: .host, name: "h"))
                do {
                    try connection.open(as: hello) { event in
                        // The connection lives until it is closed.
                        withExtendedLifetime(connection) { heard.add(Self.name(event)) }
                    }
                } catch {
                    Issue.record("\(error)")
                }
            }
        }

        private static func name(_ event: LinkConnection.Event) -> String {
            switch event {
            case .established(let hello): "established: \(hello.device.name)"
            case .package(let package, _): "package: \(package.commandName)"
            case .delivering: "delivering"
            case .closed(let reason): "closed: \(reason)"
            }
        }

        func hear(_ bytes: Data) {
            let count = bytes.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            #expect(count == bytes.count)
        }

        deinit {
            loop.stopLater()
            _ = close(peer)
        }
    }

    private static func hello() throws -> Data {
        let device = Device(identifier: UUID(), role: .companion, name: "c")
        return try PackageCodec.frame(Hello(device: device).package(identifier: UUID(), timestamp: Date()))
    }

    @Test("An incomplete hello that exceeds what the endpoint keeps closes its connection")
    func incomplete() throws {
        let host = try Host(limit: 10)
        host.hear(Data([0, 0, 0, 100] + [UInt8](repeating: 1, count: 7)))
        host.events.expect { !$0.isEmpty }
        let events = host.events.all
        #expect(
            events == ["closed: too many unfinished hellos: incomplete hellos of all peers exceed 4194304 bytes"])
    }

    @Test("A hello that arrives in one piece is not kept, and what follows it is limited no more")
    func complete() throws {
        let host = try Host(limit: 10)
        let frame = try PackageCodec.frame(LinkTests.message(100))
        host.hear(try Self.hello() + frame.prefix(50))
        host.events.expect { !$0.isEmpty }
        host.hear(Data(frame.dropFirst(50)))
        host.events.expect { $0.count >= 2 }
        let events = host.events.all
        #expect(events == ["established: c", "package: SendMessageData"])
    }
}
