import Foundation
import LinkProtocol

/// Two peers and a conditioned link in simulated time. The product's code decides which byte is sent when.
struct LinkModel {
    /// The traffic of the first peer: a file in chunks (each acknowledged, eight in flight), user infos (each
    /// acknowledged) and messages, one after another. With `both`, the second peer sends a file as well.
    struct Load {
        var file = 0
        var userInfos = 0
        var messages = 0
        var both = false
    }

    /// The sending strategy of the peers.
    enum Sending {
        case scheduled
        /// Everything immediately, as in protocol version 1.
        case atOnce
        /// Only messages, while one waits for its reply.
        case starving
    }

    /// Thrown when nothing moves any more.
    struct Stuck: Error {
        let packages: Int
        let messages: Int
    }

    struct Result {
        /// The time until the first peer's background traffic had arrived, in seconds.
        var background = 0.0
        /// The time from each message to its reply, in seconds.
        var replies: [Double] = []

        var p99: Double { replies.sorted()[replies.count * 99 / 100] }
    }

    static let messageBytes = 600
    static let userInfoBytes = 60_000
    private static let receiptBytes = 450
    private static let chunkBytes = LinkLimits.fileChunkBytes

    private enum Kind: UInt8, CaseIterable { case message, reply, chunk, userInfo, receipt, progress }

    private struct Peer {
        var scheduler = SendScheduler()
        var receiver = FrameReceiver(PieceBudget())
        var out: ConditionedStream
        var chunksLeft = 0

        init(_ direction: LinkCondition.Direction, seed: UInt64) {
            out = ConditionedStream(direction, Chance(seed: seed))
            receiver.greeted(version: ProtocolVersion.second)
        }
    }

    private let load: Load
    private let sending: Sending
    private var peers: [Peer]
    /// The body of each kind, by its number.
    private var bodies = [[UInt8]](repeating: [], count: Kind.allCases.count)
    private var now = MonotonicTime(nanoseconds: 0)
    private var background = 0
    private var messages: Int
    private var asked = MonotonicTime(nanoseconds: 0)
    private var result = Result()
    /// The packages that arrived last; a reused list.
    private var kinds: [Kind] = []

    init(_ condition: LinkCondition, _ load: Load, _ sending: Sending = .scheduled, seed: UInt64 = 1) {
        self.load = load
        self.sending = sending
        peers = [Peer(condition.outgoing, seed: seed), Peer(condition.incoming, seed: ~seed)]
        messages = load.messages
    }

    mutating func run() throws -> Result {
        let chunks = load.file / Self.chunkBytes
        background = chunks + load.userInfos
        peers[0].chunksLeft = chunks
        peers[1].chunksLeft = load.both ? chunks : 0
        for _ in 0..<LinkLimits.fileChunks { for peer in 0...1 { sendChunk(peer) } }
        for _ in 0..<load.userInfos { send(.userInfo, 0, Self.userInfoBytes) }
        sendMessage()
        while background > 0 || messages > 0 {
            guard let time = Self.nextTime(&peers) else { throw Stuck(packages: background, messages: messages) }
            now = max(now, time)
            for peer in 0...1 { try deliver(from: peer) }
        }
        return result
    }

    /// Returns the time of the next arrival.
    private static func nextTime(_ peers: inout [Peer]) -> MonotonicTime? {
        guard let there = nextTime(&peers[0].out) else { return nextTime(&peers[1].out) }
        return nextTime(&peers[1].out).map { min(there, $0) } ?? there
    }

    /// In place: a getter would copy the stream.
    @inline(never)
    private static func nextTime(_ stream: inout ConditionedStream) -> MonotonicTime? { stream.nextDeadline }

    // MARK: - The applications

    private mutating func arrived(_ kind: Kind, at peer: Int) {
        switch kind {
        case .message: send(.reply, peer, Self.receiptBytes)
        case .reply:
            result.replies.append(now.seconds(since: asked))
            messages -= 1
            sendMessage()
        case .chunk: send(.progress, peer, Self.receiptBytes)
        case .userInfo: send(.receipt, peer, Self.receiptBytes)
        case .progress, .receipt:
            if peer == 0 {
                background -= 1
                if background == 0 { result.background = now.seconds(since: MonotonicTime(nanoseconds: 0)) }
            }
            if kind == .progress { sendChunk(peer) }
        }
    }

    private mutating func sendMessage() {
        guard messages > 0 else { return }
        asked = now
        send(.message, 0, Self.messageBytes)
    }

    private mutating func sendChunk(_ peer: Int) {
        guard peers[peer].chunksLeft > 0 else { return }
        peers[peer].chunksLeft -= 1
        send(.chunk, peer, Self.chunkBytes)
    }

    // MARK: - The link

    private static func lane(_ kind: Kind) -> SendLane {
        switch kind {
        case .message: .messages
        case .reply: .answers
        case .chunk: .files
        case .userInfo: .userInfos
        case .receipt, .progress: .receipts
        }
    }

    private mutating func send(_ kind: Kind, _ peer: Int, _ count: Int) {
        let body = body(kind, count)
        guard sending != .atOnce else {
            return write(body, wantsAcknowledgement: false, peer)
        }
        if let wish = peers[peer].scheduler.pass(Self.lane(kind), bytes: count, at: now) {
            return write(body, wantsAcknowledgement: wish, peer)
        }
        _ = peers[peer].scheduler.enqueue(Self.lane(kind), body)
        pump(peer)
    }

    /// Returns the body of a kind; packages of one kind are equal and share their bytes.
    private mutating func body(_ kind: Kind, _ count: Int) -> [UInt8] {
        let known = bodies[Int(kind.rawValue)]
        guard known.count != count else { return known }
        var body = [UInt8](repeating: 0, count: count)
        body[0] = kind.rawValue
        bodies[Int(kind.rawValue)] = body
        return body
    }

    private mutating func pump(_ peer: Int) {
        if sending == .starving, messages > 0 { return }
        while let piece = peers[peer].scheduler.next(at: now) {
            peers[peer].out.push(Self.joined(piece.header, piece.bytes)[...], at: now)
        }
    }

    private mutating func write(_ body: [UInt8], wantsAcknowledgement: Bool, _ peer: Int) {
        let header = FrameHeader(.package, length: body.count, wantsAcknowledgement: wantsAcknowledgement)
        let frame = withUnsafeBytes(of: header.word.bigEndian) { Self.joined($0, body[...]) }
        peers[peer].out.push(frame[...], at: now)
    }

    private static func joined(_ header: some Collection<UInt8>, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(header.count + bytes.count)
        frame += header
        frame += bytes
        return frame
    }

    private mutating func deliver(from peer: Int) throws {
        let other = 1 - peer
        defer { kinds.removeAll(keepingCapacity: true) }
        while let piece = peers[peer].out.takePiece(at: now) {
            try piece.withUnsafeBytes { bytes in
                peers[other].receiver.begin(bytes)
                while let item = try peers[other].receiver.nextKind() {
                    switch item {
                    case .package(let number, _): if let kind = Kind(rawValue: number) { kinds.append(kind) }
                    case .piece: break
                    case .acknowledgement(let word): try peers[other].scheduler.acknowledged(word, at: now)
                    }
                }
                peers[other].receiver.end()
            }
        }
        if let word = peers[other].receiver.acknowledge(at: now) { peers[other].out.push(word.frame[...], at: now) }
        for kind in kinds { arrived(kind, at: other) }
        pump(other)
    }
}
