import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Link connections, byte by byte")
struct LinkConnectionWireTests {
    private static func package(_ command: Command, _ text: String? = nil) -> MessagePackage {
        MessagePackage(identifier: UUID(), command: command, status: .sent, errorMessage: text, timestamp: Date())
    }

    private static let conditioned: LinkCondition = {
        var condition = LinkCondition()
        condition.incoming.latency = .microseconds(1)
        return condition
    }()

    @Test("A peer of the second version gets a long package in pieces, and is asked to acknowledge")
    func pieces() throws {
        let host = try WireHost()
        try host.greet()
        try host.perform { try $0.send(LinkTests.message(10_000)) }
        let frame = try host.frame()
        // A request, and the kind of a piece.
        #expect(frame.top == 0x81)
        #expect(frame.body.count == PieceHeader.bytes + 2_048)
    }

    @Test("A peer of the first version gets a long package whole, and is asked nothing")
    func whole() throws {
        let host = try WireHost()
        try host.greet(ProtocolVersion.first...ProtocolVersion.first)
        let package = LinkTests.message(10_000)
        try host.perform { try $0.send(package) }
        let frame = try host.frame()
        #expect(frame.top == 0)
        let found = try frame.package().identifier
        #expect(found == package.identifier)
    }

    @Test("A request is answered once, with all bytes since the hello and whether they are delayed")
    func acknowledged() throws {
        for (condition, flag) in [(LinkCondition(), UInt8(0)), (Self.conditioned, UInt8(1))] {
            let host = try WireHost(condition)
            try host.greet()
            var bytes: [UInt8] = []
            for wish: UInt8 in [0, 0x80, 0, 0x80] {
                var frame = try [UInt8](PackageCodec.frame(LinkTests.message(10)))
                frame[0] |= wish
                host.peer.say(frame)
                bytes += frame
                guard wish != 0 else { continue }
                let answer = try host.frame()
                #expect(answer.top == 2)
                #expect(answer.body.count == 17)
                let end = answer.body.prefix(8).reduce(0) { $0 << 8 | Int($1) }
                #expect(end == bytes.count)
                #expect(answer.body.last == flag)
            }
        }
    }

    @Test("An acknowledgement of bytes that were not sent ends the connection with the reason")
    func lyingAcknowledgement() throws {
        let host = try WireHost()
        try host.greet()
        host.peer.say(Acknowledgement(end: 1, arrival: .now).frame)
        let goodbye = try host.frame().package()
        #expect(goodbye.command == .goodbye)
        let reason = "bad acknowledgement: 1 bytes; expected 0 to 0"
        #expect(goodbye.errorMessage == reason)
        let end = host.end()
        #expect(end == "closed: \(reason)")
    }

    @Test("Progress of what waits is told once in a while, and only with an acknowledgement")
    func delivering() throws {
        let host = try WireHost()
        try host.greet()
        try host.perform { try $0.send(LinkTests.message(100_000)) }
        var end: Int64 = 0
        for _ in 0..<2 {
            let piece = try host.frame()
            end += Int64(4 + piece.body.count)
            host.peer.say(Acknowledgement(end: end, arrival: .now).frame)
            host.events.expect { $0.count >= 2 }
        }
        // The answer to this request comes after what was said before.
        var last = try [UInt8](PackageCodec.frame(LinkTests.message(10)))
        let count = last.count - 4
        last[0] |= 0x80
        host.peer.say(last)
        host.events.expect { $0.count >= 3 }
        let events = host.events.all
        #expect(events == ["established", "delivering", "SendMessageData in \(count) bytes"])
    }

    @Test("Without other packages a side says that it is alive, again and again")
    func heartbeat() throws {
        var times = LinkTimes()
        // The hello's deadline, which is met, must not delay the next one.
        times.hello = .seconds(3_600)
        times.heartbeat = .milliseconds(1)
        let host = try WireHost(times: times)
        try host.greet()
        for _ in 0..<3 {
            let command = try host.frame().package().command
            #expect(command == .heartbeat)
        }
    }

    @Test("A peer that is silent for too long is told so and disconnected")
    func silent() throws {
        var times = LinkTimes()
        times.hello = .seconds(3_600)
        times.silence = .milliseconds(20)
        let host = try WireHost(times: times)
        try host.greet()
        let reason = "silent: nothing heard for 0.02 s"
        let goodbye = try host.frame().package().errorMessage
        #expect(goodbye == reason)
        let end = host.end()
        #expect(end == "closed: \(reason)")
    }

    @Test("A peer that says no hello in time is told so and disconnected")
    func noHello() throws {
        var times = LinkTimes()
        times.hello = .milliseconds(20)
        let host = try WireHost(times: times)
        let end = host.end()
        #expect(end == "closed: hello time-out: no hello within 0.02 s")
        let commands = try [host.frame().package().command, host.frame().package().command]
        #expect(commands == [.hello, .goodbye])
    }

    @Test("A peer's goodbye ends the connection with its reason, and is not answered")
    func goodbye() throws {
        let host = try WireHost()
        try host.greet()
        try host.say(Self.package(.goodbye, "tired"))
        let end = host.end()
        #expect(end == "closed: tired")
        let heard = try host.peer.hear(1)
        #expect(heard == [])
        let misbehaved = host.log.all.filter { $0.event == .peerMisbehaved }.count
        #expect(misbehaved == 0)
    }

    @Test("Only the first reason to close counts: it is said once, then the connection ends")
    func closesOnce() throws {
        let host = try WireHost()
        try host.greet()
        try host.perform { connection in
            connection.close("first")
            connection.close("second")
        }
        let reason = try host.frame().package().errorMessage
        #expect(reason == "first")
        let heard = try host.peer.hear(1)
        #expect(heard == [])
        let end = host.end()
        #expect(end == "closed: first")
    }

    @Test("What was urgent is still said before the goodbye")
    func urgent() throws {
        let host = try WireHost()
        try host.greet()
        let packages = (0..<30).map { _ in LinkTests.message(1_000) }
        try host.perform { connection in
            for package in packages { try connection.send(package) }
            connection.close("done")
        }
        var identifiers: [UUID] = []
        for _ in packages { try identifiers.append(host.frame().package().identifier) }
        #expect(identifiers == packages.map(\.identifier))
        let last = try host.frame().package()
        #expect(last.command == .goodbye)
    }

    @Test("While a side does not read, nothing arrives; then everything does. Repeating either changes nothing")
    func reading() throws {
        let host = try WireHost()
        try host.greet()
        for _ in 0..<2 { try host.perform { $0.setReading(false) } }
        try host.say(Self.package(.state))
        try host.perform { _ in }
        let early = host.events.all.count
        #expect(early == 1)
        for _ in 0..<2 { try host.perform { $0.setReading(true) } }
        host.events.expect { $0.count == 2 }
        let changes = host.log.all.map(\.event).filter { [LogEvent.readingPaused, .readingResumed].contains($0) }
        #expect(changes == [.readingPaused, .readingResumed])
    }

    @Test("A connection that is taken out of range breaks without a goodbye")
    func outOfRange() throws {
        let host = try WireHost()
        try host.greet()
        let conditioner = host.conditioner
        let device = host.device.identifier
        try host.perform { connection in
            var condition = LinkCondition()
            condition.refuses = true
            conditioner.set(condition, for: UUID())
            // Another device's condition is none of this connection's.
            connection.conditionChanged()
            conditioner.set(condition, for: device)
            connection.conditionChanged()
        }
        let end = host.end()
        #expect(end == "closed: taken out of range by the link's condition")
        let heard = try host.peer.hear(1)
        #expect(heard == [])
    }

    @Test("The condition of the peer's link applies as soon as the peer is known, and changes with the conditioner's")
    func conditionOfDevice() throws {
        let host = try WireHost()
        let conditioner = host.conditioner
        let device = host.device.identifier
        var stalled = LinkCondition()
        stalled.outgoing.isStalled = true
        let (slow, fast) = (stalled, LinkCondition())
        try host.perform { _ in conditioner.set(slow, for: device) }
        try host.greet()
        try host.perform { try $0.send(LinkTests.message(10)) }
        try host.perform { _ in }
        let early = host.peer.unheard
        #expect(early == 0)
        try host.perform { connection in
            conditioner.set(fast, for: nil)
            connection.conditionChanged()
        }
        let command = try host.frame().package().command
        #expect(command == .sendMessageData)
    }

    @Test(
        "A peer that breaks off is logged with what it had said",
        arguments: [
            ([], false, "closed before its hello"), ([0, 0], false, "closed in the middle of a frame"),
            ([0, 0, 0, 9, 1], true, "closed in the middle of a frame"), ([], true, nil),
        ] as [([UInt8], Bool, String?)])
    func breaksOff(_ bytes: [UInt8], _ isGreeted: Bool, _ reason: String?) throws {
        let host = try WireHost()
        if isGreeted { try host.greet() }
        host.peer.say(bytes)
        host.peer.leave()
        let end = host.end()
        #expect(end == "closed: closed by the peer")
        let fields = host.log.all.filter { $0.event == .peerMisbehaved }.map(\.fields)
        let device: [LogField] = isGreeted ? [.device(host.device.identifier)] : []
        var expected: [[LogField]] = []
        if let reason { expected = [[.connection(1)] + device + [.reason(reason)]] }
        #expect(fields == expected)
    }

    @Test("Packages that are sent and received are logged with their sizes")
    func logged() throws {
        let host = try WireHost()
        try host.greet()
        let (question, answer) = (LinkTests.message(10), LinkTests.message(20))
        try host.say(question)
        host.events.expect { $0.count == 2 }
        try host.perform { try $0.send(answer) }
        let body = try host.frame().body.count
        let records = host.log.all.suffix(2)
        #expect(records.map(\.event) == [.packageIn, .packageOut])
        let fields = records.map(\.fields)
        let asked = try PackageCodec.frame(question).count - FrameHeader.bytes
        #expect(
            fields == [
                [
                    .connection(1), .command("SendMessageData"), .package(question.identifier), .bytes(asked),
                ],
                [
                    .connection(1), .command("SendMessageData"), .package(answer.identifier),
                    .bytes(body + FrameHeader.bytes),
                ],
            ])
    }
}
