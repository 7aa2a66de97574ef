import EventLog
import Foundation
import Glibc
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Flow of link connections")
struct LinkConnectionFlowTests {
    private static func package(_ command: Command) -> MessagePackage {
        MessagePackage(identifier: UUID(), command: command, status: .sent, timestamp: Date())
    }

    private static func condition(_ change: (inout LinkCondition) -> Void) -> LinkCondition {
        var condition = LinkCondition()
        change(&condition)
        return condition
    }

    private static let stalledOut = condition { $0.outgoing.isStalled = true }
    private static let stalledIn = condition { $0.incoming.isStalled = true }

    /// Sets the condition that holds as soon as the peer is known.
    private static func set(_ condition: LinkCondition, _ host: WireHost) throws {
        let (conditioner, device) = (host.conditioner, host.device.identifier)
        try host.perform { _ in conditioner.set(condition, for: device) }
    }

    private static func isSent(_ package: MessagePackage, _ connection: LinkConnection) -> Bool {
        do {
            try connection.send(package)
            return true
        } catch {
            return false
        }
    }

    /// Sends until not even the smallest package fits into the queue. On the loop.
    private static func fill(_ connection: LinkConnection) {
        for size in [400_000, 40_000, 4_000, 0] {
            while isSent(LinkTests.message(size), connection) {}
        }
        while isSent(Self.package(.heartbeat), connection) {}
    }

    /// Has the peer acknowledge a package as one that nothing delayed.
    ///
    /// - Returns: The number of bytes sent until then.
    private static func acknowledgeOne(_ host: WireHost) throws -> Int {
        try host.perform { try $0.send(LinkTests.message(10)) }
        let end = try FrameHeader.bytes + host.frame().body.count
        host.peer.say(Acknowledgement(end: Int64(end), arrival: .now, isConditioned: false).frame)
        // Comes after the acknowledgement.
        try host.say(Self.package(.state))
        host.events.expect { $0.count == 2 }
        return end
    }

    @Test("Of small packages, only those that complete an eighth of the window ask for an acknowledgement")
    func requests() throws {
        let host = try WireHost()
        try host.greet()
        var (sent, asked) = (0, 0)
        var tops: [UInt8] = []
        var expected: [UInt8] = []
        for _ in 0..<8 {
            try host.perform { try $0.send(LinkTests.message(10)) }
            let frame = try host.frame()
            sent += FrameHeader.bytes + frame.body.count
            tops.append(frame.top)
            let isDue = sent - asked >= 12 * 1_024 / 8
            expected.append(isDue ? 0x80 : 0)
            if isDue { asked = sent }
        }
        #expect(tops == expected)
        #expect(Set(tops) == [0, 0x80])
    }

    @Test("A long package arrives whole, piece by piece, as long as each request is answered")
    func allPieces() throws {
        let host = try WireHost()
        try host.greet()
        let package = LinkTests.message(100_000)
        let length = try PackageCodec.frame(package).count - FrameHeader.bytes
        try host.perform { try $0.send(package) }
        var heard = 0
        var bytes: [UInt8] = []
        while bytes.count < length {
            let frame = try host.frame()
            try #require(frame.top & 0x7F == 1)
            heard += FrameHeader.bytes + frame.body.count
            bytes += frame.body.dropFirst(PieceHeader.bytes)
            guard frame.top & 0x80 != 0 else { continue }
            host.peer.say(Acknowledgement(end: Int64(heard), arrival: .now).frame)
        }
        let found = try bytes.withUnsafeBytes { try PackageCodec.package($0) }
        #expect(found.identifier == package.identifier)
        #expect(found.dataPackage == package.dataPackage)
    }

    @Test("Between ends that delay nothing, a long package goes whole; else in pieces", arguments: [false, true])
    func undelayed(_ isDelayed: Bool) throws {
        let condition = Self.condition { if isDelayed { $0.outgoing.latency = .microseconds(1) } }
        let host = try WireHost(condition)
        try host.greet()
        _ = try Self.acknowledgeOne(host)
        try host.perform { try $0.send(LinkTests.message(100_000)) }
        let kind = try host.frame().top & 0x7F
        #expect(kind == (isDelayed ? 1 : 0))
    }

    @Test("A peer that acknowledges what it does not read is disconnected when its queue is full")
    func deaf() throws {
        let host = try WireHost()
        var room: Int32 = 65_536
        setsockopt(host.peer.other, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        try host.greet()
        let start = try Self.acknowledgeOne(host)
        let package = LinkTests.message(500_000)
        let length = try PackageCodec.frame(package).count
        // Three fill the window, and eight the queue of what waits.
        try host.perform { connection in
            for _ in 0..<11 { try connection.send(package) }
        }
        let ends = [3, 6].map { Int64(start + $0 * length) }
        host.peer.say(Acknowledgement(end: ends[0], arrival: .now, isConditioned: false).frame)
        host.events.expect { $0.contains("delivering") }
        host.peer.say(Acknowledgement(end: ends[1], arrival: .now, isConditioned: false).frame)
        let end = host.end()
        #expect(end == "closed: the peer stopped reading")
    }

    @Test("A connection whose goodbye finds no room ends at once, and the log says so")
    func noGoodbye() throws {
        let host = try WireHost()
        try Self.set(Self.stalledOut, host)
        try host.greet(ProtocolVersion.first...ProtocolVersion.first)
        let reason = String(repeating: "x", count: 1_000)
        try host.perform { connection in
            Self.fill(connection)
            connection.close(reason)
        }
        let events = host.events.all
        #expect(events == ["established", "closed: \(reason)"])
        let fields = host.log.all.filter { $0.event == .peerMisbehaved }.map(\.fields)
        #expect(fields == [[.connection(1), .reason("the goodbye could not be sent: \(LinkSendError.queueFull)")]])
    }

    @Test("A peer that cannot even be told that its command is unknown is disconnected")
    func deafToRefusal() throws {
        let host = try WireHost()
        try Self.set(Self.stalledOut, host)
        try host.greet()
        try host.perform { Self.fill($0) }
        try host.say(Self.package(.unrecognized))
        let end = host.end()
        #expect(end == "closed: the peer stopped reading")
    }

    @Test("A heartbeat that finds no room is put off, and holds up nothing")
    func noHeartbeat() throws {
        var times = LinkTimes()
        times.hello = .seconds(3_600)
        times.heartbeat = .milliseconds(5)
        let host = try WireHost(times: times)
        try Self.set(Self.stalledOut, host)
        try host.greet(ProtocolVersion.first...ProtocolVersion.first)
        let (loop, later) = (host.loop, Collector<Bool>())
        try host.perform { connection in
            Self.fill(connection)
            _ = loop.schedule(at: .now + .milliseconds(50)) { later.add(true) }
        }
        later.expect { !$0.isEmpty }
        let events = host.events.all
        #expect(events == ["established"])
    }

    @Test("A goodbye that cannot be written keeps a connection open for a while, in which nothing is heard any more")
    func stalledGoodbye() throws {
        let host = try WireHost()
        try Self.set(Self.stalledOut, host)
        try host.greet()
        let peer = host.peer
        let package = try [UInt8](PackageCodec.frame(Self.package(.state)))
        try host.perform { connection in
            connection.close("bye")
            peer.say(package)
        }
        let end = host.end()
        #expect(end == "closed: bye")
        let events = host.events.all
        #expect(events == ["established", "closed: bye"])
    }

    @Test("A connection is closed as soon as its goodbye is written")
    func closesAtOnce() throws {
        let host = try WireHost()
        try host.greet()
        try host.perform { $0.close("bye") }
        try host.perform { _ in }
        let events = host.events.all
        #expect(events == ["established", "closed: bye"])
    }

    @Test("A side that does not read leaves the bytes to the system")
    func unread() throws {
        let host = try WireHost()
        try host.greet()
        try host.perform { $0.setReading(false) }
        try host.say(Self.package(.state))
        try host.perform { _ in }
        let unread = host.peer.unread
        #expect(unread == 64)
        try host.perform { $0.setReading(true) }
        host.events.expect { $0.count == 2 }
        let rest = host.peer.unread
        #expect(rest == 0)
    }

    @Test(
        "Of a known peer, 256 KiB are held by the link's condition before reading pauses",
        arguments: [(20_000, 0), (262_143, 0), (262_144, 1)])
    func held(_ count: Int, _ expected: Int) throws {
        let host = try WireHost()
        try Self.set(Self.stalledIn, host)
        try host.greet()
        host.peer.say([UInt8](repeating: 0, count: count))
        // The second turn begins when everything has been said.
        for _ in 0..<2 { try host.perform { _ in } }
        host.peer.say([0])
        try host.perform { _ in }
        let unread = host.peer.unread
        #expect(unread == expected)
    }

    @Test("After a goodbye, no request is answered any more")
    func noAnswer() throws {
        let host = try WireHost(Self.condition { $0.outgoing.latency = .milliseconds(1) })
        try host.greet()
        var question = try [UInt8](PackageCodec.frame(Self.package(.state)))
        question[0] |= 0x80
        host.peer.say(question + Acknowledgement(end: 99, arrival: .now).frame)
        let command = try host.frame().package().command
        #expect(command == .goodbye)
        let heard = try host.peer.hear(1)
        #expect(heard == [])
    }
}
