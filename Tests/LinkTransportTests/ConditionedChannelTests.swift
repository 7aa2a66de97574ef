import Files
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Channels with a link's condition")
struct ConditionedChannelTests {
    /// A channel on a loop of its own, and its peer.
    private final class Link: Sendable {
        let loop: EventLoop
        let peer: RawSocket
        let conditioned: ConditionedChannel
        let heard = Collector<[UInt8]>()
        let closes = Collector<StreamChannel.CloseReason>()

        init(_ condition: LinkCondition = LinkCondition(), heldBytes: Int = LinkLimits.helloBytes) throws {
            peer = try RawSocket()
            loop = try EventLoop(name: "test")
            let (heard, closes) = (heard, closes)
            let channel = StreamChannel(
                loop: loop, descriptor: Descriptor(peer.other), maximumQueuedBytes: LinkLimits.queuedBytes)
            let conditioned = ConditionedChannel(loop: loop, channel: channel, condition, Chance(seed: 1)) {
                heard.add([UInt8]($0))
            }
            self.conditioned = conditioned
            conditioned.heldBytes = heldBytes
            try loop.perform {
                try channel.open(onBytes: { conditioned.received($0) }, onClose: { closes.add($0) })
            }
        }

        /// Runs a task on the loop.
        func perform<Value: Sendable>(
            _ task: @escaping @Sendable (ConditionedChannel) throws -> Value
        ) throws -> Value {
            try loop.perform { [conditioned] in try task(conditioned) }
        }

        /// Waits for the turn that handles what the peer has said.
        func turn() throws { try loop.perform {} }

        func write(_ bytes: [UInt8]) throws -> Bool {
            try perform { channel in bytes.withUnsafeBytes { channel.write($0) } }
        }

        func become(_ condition: LinkCondition) throws { try perform { $0.become(condition) } }

        deinit { loop.stopLater() }
    }

    private static func condition(_ change: (inout LinkCondition) -> Void) -> LinkCondition {
        var condition = LinkCondition()
        change(&condition)
        return condition
    }

    private static let stalledOut = condition { $0.outgoing.isStalled = true }
    private static let stalledIn = condition { $0.incoming.isStalled = true }
    private static let cut = StreamChannel.CloseReason.byThisSide("cut by the link's condition")

    @Test("A perfect link holds nothing")
    func perfect() throws {
        let link = try Link()
        let isTaken = try link.write([1, 2, 3])
        #expect(isTaken)
        let heard = try link.peer.hear(3)
        #expect(heard == [1, 2, 3])
        link.peer.say([4, 5])
        link.heard.expect { $0 == [[4, 5]] }
        let holds = try link.perform { [$0.holdsOutgoing, $0.holdsIncoming] }
        #expect(holds == [false, false])
    }

    @Test("A stalled link holds what is written until it is better, and then has it in order")
    func stalledOutgoing() throws {
        let link = try Link(Self.stalledOut)
        let taken = try [[1, 2], [3]].map { try link.write($0) }
        #expect(taken == [true, true])
        try link.turn()
        let early = link.peer.unheard
        #expect(early == 0)
        let holds = try link.perform { [$0.holdsOutgoing, $0.holdsIncoming] }
        #expect(holds == [true, false])
        try link.become(LinkCondition())
        let heard = try link.peer.hear(3)
        #expect(heard == [1, 2, 3])
        let holdsLater = try link.perform { [$0.holdsOutgoing, $0.holdsIncoming] }
        #expect(holdsLater == [false, false])
    }

    @Test("A stalled link holds what the peer says until it is better")
    func stalledIncoming() throws {
        let link = try Link(Self.stalledIn)
        link.peer.say([1, 2])
        try link.turn()
        let early = link.heard.all
        #expect(early == [])
        let holds = try link.perform { [$0.holdsOutgoing, $0.holdsIncoming] }
        #expect(holds == [false, true])
        try link.become(LinkCondition())
        let heard = link.heard.all
        #expect(heard == [[1, 2]])
        let holdsLater = try link.perform { [$0.holdsOutgoing, $0.holdsIncoming] }
        #expect(holdsLater == [false, false])
    }

    @Test("A link that stalls later holds what is written from then on")
    func stallsLater() throws {
        let link = try Link()
        try link.become(Self.stalledOut)
        let isTaken = try link.write([1])
        #expect(isTaken)
        try link.turn()
        let early = link.peer.unheard
        #expect(early == 0)
        try link.become(LinkCondition())
        let heard = try link.peer.hear(1)
        #expect(heard == [1])
    }

    @Test("As many bytes as a peer's queue are held, and not one more")
    func limit() throws {
        let full = try Link(Self.stalledOut)
        let taken = try [LinkLimits.queuedBytes, 1, 0].map { try full.write([UInt8](repeating: 7, count: $0)) }
        #expect(taken == [true, false, true])
        let tooMuch = try Link(Self.stalledOut).write([UInt8](repeating: 7, count: LinkLimits.queuedBytes + 1))
        #expect(!tooMuch)
    }

    @Test("A delayed link passes everything in time, both ways")
    func delayed() throws {
        let link = try Link(Self.condition { $0.both { $0.latency = .milliseconds(1) } })
        for byte: UInt8 in 1...3 {
            let isTaken = try link.write([byte])
            #expect(isTaken)
            let heard = try link.peer.hear(1)
            #expect(heard == [byte])
        }
        link.peer.say([4])
        link.heard.expect { $0 == [[4]] }
        link.peer.say([5])
        link.heard.expect { $0 == [[4], [5]] }
    }

    @Test("What is written in one turn leaves in order")
    func oneTurn() throws {
        let link = try Link(Self.condition { $0.outgoing.pieceBytes = 1 })
        let taken = try link.perform { channel in
            [[1, 2], [3]].map { (bytes: [UInt8]) in bytes.withUnsafeBytes { channel.write($0) } }
        }
        #expect(taken == [true, true])
        let heard = try link.peer.hear(3)
        #expect(heard == [1, 2, 3])
    }

    @Test("A link that is cut while writing breaks after exactly its bytes")
    func cutOutgoing() throws {
        let link = try Link(Self.condition { $0.outgoing.cutAfterBytes = 5 })
        let taken = try [[1, 2, 3], [4, 5, 6, 7]].map { try link.write($0) }
        #expect(taken == [true, true])
        let heard = try link.peer.hear(7)
        #expect(heard == [1, 2, 3, 4, 5])
        link.closes.expect { !$0.isEmpty }
        let closes = link.closes.all
        #expect(closes == [Self.cut])
    }

    @Test("A link that is cut while reading breaks after exactly its bytes")
    func cutIncoming() throws {
        let link = try Link(Self.condition { $0.incoming.cutAfterBytes = 2 })
        link.peer.say([1, 2, 3])
        link.closes.expect { !$0.isEmpty }
        let closes = link.closes.all
        #expect(closes == [Self.cut])
        let heard = link.heard.all
        #expect(heard == [[1, 2]])
    }

    @Test("A channel closes when everything it holds is written")
    func closeAfterWriting() throws {
        let link = try Link(Self.stalledOut)
        let isTaken = try link.write([1, 2])
        #expect(isTaken)
        try link.perform { $0.closeAfterWriting("bye") }
        try link.turn()
        let early = link.closes.all
        #expect(early == [])
        try link.become(LinkCondition())
        let heard = try link.peer.hear(3)
        #expect(heard == [1, 2])
        link.closes.expect { !$0.isEmpty }
        let closes = link.closes.all
        #expect(closes == [.byThisSide("bye")])
    }

    @Test("A channel that holds nothing closes at once")
    func closeWithoutBytes() throws {
        let link = try Link(Self.stalledOut)
        try link.perform { $0.closeAfterWriting("bye") }
        link.closes.expect { !$0.isEmpty }
        let closes = link.closes.all
        #expect(closes == [.byThisSide("bye")])
    }

    @Test("Reading pauses when as many bytes are held as allowed, and resumes with a better link")
    func heldBytes() throws {
        let link = try Link(Self.stalledIn, heldBytes: 4)
        var unread: [Int] = []
        for bytes: [UInt8] in [[1, 2, 3], [4], [5]] {
            link.peer.say(bytes)
            try link.turn()
            unread.append(link.peer.unread)
        }
        #expect(unread == [0, 0, 1])
        try link.become(LinkCondition())
        link.heard.expect { $0.joined().count == 5 }
        let heard = Array(link.heard.all.joined())
        #expect(heard == [1, 2, 3, 4, 5])
    }

    @Test("A change of the condition does not resume reading that is not wanted")
    func unwanted() throws {
        let link = try Link()
        try link.perform { $0.setReading(false) }
        try link.become(Self.stalledOut)
        link.peer.say([1])
        try link.turn()
        let unread = link.peer.unread
        #expect(unread == 1)
        try link.perform { $0.setReading(true) }
        link.heard.expect { $0 == [[1]] }
    }

    @Test("A condition that is set again does not begin anew")
    func sameAgain() throws {
        let cut = Self.condition { $0.outgoing.cutAfterBytes = 5 }
        let link = try Link(cut)
        let first = try link.write([1, 2, 3])
        #expect(first)
        try link.become(cut)
        let second = try link.write([4, 5, 6, 7])
        #expect(second)
        let heard = try link.peer.hear(7)
        #expect(heard == [1, 2, 3, 4, 5])
    }
}
