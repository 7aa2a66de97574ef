/// Decides what goes to a peer next, and how much of it: messages first, whatever is being transferred.
///
/// Packages wait in lanes until the window has room, and go out in pieces. Of three urgencies the first that has something to
/// send goes first; the lanes of one have their turns. Each urgency below the first may have an eighth of the window on its way
/// whatever the others do, so that none starves.
package struct SendScheduler: Sendable {
    /// What of the window every urgency may use.
    private static let share = 8
    /// How often the owners of what waits are told that it is not lost. 5 s: well within their patience.
    private static let newsInterval: Duration = .seconds(5)

    /// Something to write now.
    package struct Piece: Equatable, Sendable {
        package let lane: SendLane
        /// Of the whole package.
        package let length: Int
        package let offset: Int
        package let bytes: ArraySlice<UInt8>
        package let wantsAcknowledgement: Bool

        package var isWhole: Bool { bytes.count == length }

        /// What leads it on the wire.
        package var header: [UInt8] {
            guard isWhole else {
                return PieceHeader(stream: lane.rawValue, length: length, offset: offset).frame(
                    count: bytes.count, wantsAcknowledgement: wantsAcknowledgement)
            }
            let header = FrameHeader(.package, length: length, wantsAcknowledgement: wantsAcknowledgement)
            return withUnsafeBytes(of: header.word.bigEndian) { Array($0) }
        }
    }

    /// What is on its way, and not acknowledged: the latest of it ends here.
    private struct Flight: Sendable {
        let urgency: SendUrgency
        var end: Int64
        var count: Int
    }

    private var lanes = [Deque<[UInt8]>](repeating: Deque(), count: SendLane.allCases.count)
    /// What of each lane's first package has gone out.
    private var offsets = [Int](repeating: 0, count: SendLane.allCases.count)
    private var turns = [Int](repeating: 0, count: SendUrgency.allCases.count)
    private var waiting = [Int](repeating: 0, count: SendUrgency.allCases.count)
    /// Of all urgencies: looked at after each package, and mostly zero.
    private var waitingBytes = 0
    private var flights = Deque<Flight>()
    private var flying = [Int](repeating: 0, count: SendUrgency.allCases.count)
    private var sent: Int64 = 0
    private var acknowledged: Int64 = 0
    /// Up to where an acknowledgement was asked for.
    private var asked: Int64 = 0
    private var window = SendWindow()
    private var lastNews: MonotonicTime?

    package init() {}

    /// The link is another one from now on: what was measured says nothing.
    ///
    /// - Parameter isConditioned: Whether what goes out is held back on this side.
    package mutating func linkChanged(isConditioned: Bool) { window.reset(isConditioned: isConditioned) }

    // MARK: - In

    /// A package that is to go out. If nothing is in its way it need not wait.
    ///
    /// - Returns: Whether to write it now, and to ask for an acknowledgement; nil if it must wait.
    package mutating func pass(_ lane: SendLane, bytes count: Int, at time: MonotonicTime) -> Bool? {
        guard lanes[lane.rawValue].isEmpty, count <= window.pieceBytes, hasRoom(for: lane.urgency) else { return nil }
        return fly(lane.urgency, count + FrameHeader.bytes, at: time)
    }

    /// A package that waits: its body. False if too much of its urgency is waiting already.
    package mutating func enqueue(_ lane: SendLane, _ bytes: [UInt8]) -> Bool {
        let urgency = lane.urgency.rawValue
        guard waiting[urgency] + bytes.count <= LinkLimits.queuedBytes else { return false }
        waiting[urgency] += bytes.count
        waitingBytes += bytes.count
        lanes[lane.rawValue].append(bytes)
        return true
    }

    /// - Throws: ``ProtocolError`` if it is not of what was sent.
    package mutating func acknowledged(
        _ acknowledgement: Acknowledgement, at time: MonotonicTime
    ) throws(ProtocolError) {
        let end = acknowledgement.end
        guard (acknowledged...sent).contains(end) else {
            throw ProtocolError(
                .badAcknowledgement, "\(end) bytes, after \(acknowledged) and of \(sent) that were sent")
        }
        acknowledged = end
        while let flight = flights.first, flight.end <= end {
            flying[flight.urgency.rawValue] -= flight.count
            flights.removeFirst()
        }
        window.acknowledged(acknowledgement, at: time)
    }

    // MARK: - Out

    /// What to write now; nil if nothing waits, or all must wait for an acknowledgement.
    package mutating func next(at time: MonotonicTime) -> Piece? {
        guard waitingBytes > 0 else { return nil }
        for urgency in SendUrgency.allCases where waiting[urgency.rawValue] > 0 {
            guard hasRoom(for: urgency) else {
                window.full()
                continue
            }
            if let lane = nextLane(of: urgency) { return piece(of: lane, window.pieceBytes, at: time) }
        }
        return nil
    }

    /// The rest of what is urgent, at once: the connection is about to close, and the peer has to know it.
    package mutating func last(at time: MonotonicTime) -> Piece? {
        guard let lane = nextLane(of: .interactive) else { return nil }
        return piece(of: lane, LinkLimits.frameBytes, at: time)
    }

    /// Something was acknowledged: whether to tell the owners of what waits that it is not lost.
    package mutating func takeNews(at time: MonotonicTime) -> Bool {
        guard waitingBytes > 0, lastNews.map({ time - $0 >= Self.newsInterval }) ?? true else {
            return false
        }
        lastNews = time
        return true
    }

    // MARK: - Rules

    /// Without an acknowledgement on its way something must go, or none would ever come.
    private func hasRoom(for urgency: SendUrgency) -> Bool {
        let flying = flying[urgency.rawValue]
        guard asked > acknowledged, flying >= window.bytes / Self.share else { return true }
        return (urgency == .interactive ? flying : self.flying.reduce(0, +)) < window.bytes
    }

    private mutating func nextLane(of urgency: SendUrgency) -> SendLane? {
        let candidates = SendLane.byUrgency[urgency.rawValue]
        let turn = turns[urgency.rawValue]
        for step in 0..<candidates.count {
            let place = (turn + step) % candidates.count
            guard !lanes[candidates[place].rawValue].isEmpty else { continue }
            turns[urgency.rawValue] = place + 1
            return candidates[place]
        }
        return nil
    }

    private mutating func piece(of lane: SendLane, _ most: Int, at time: MonotonicTime) -> Piece? {
        guard let package = lanes[lane.rawValue].first else { return nil }
        let offset = offsets[lane.rawValue]
        let bytes = package[offset...].prefix(most)
        offsets[lane.rawValue] = bytes.endIndex
        if bytes.endIndex == package.count {
            lanes[lane.rawValue].removeFirst()
            offsets[lane.rawValue] = 0
        }
        waiting[lane.urgency.rawValue] -= bytes.count
        waitingBytes -= bytes.count
        let headers = FrameHeader.bytes + (bytes.count < package.count ? PieceHeader.bytes : 0)
        return Piece(
            lane: lane, length: package.count, offset: offset, bytes: bytes,
            wantsAcknowledgement: fly(lane.urgency, headers + bytes.count, at: time))
    }

    /// So many bytes go out.
    ///
    /// - Returns: Whether to ask for an acknowledgement: eight times in a window.
    private mutating func fly(_ urgency: SendUrgency, _ count: Int, at time: MonotonicTime) -> Bool {
        sent += Int64(count)
        flying[urgency.rawValue] += count
        flights.append(Flight(urgency: urgency, end: sent, count: count))
        guard sent - asked >= window.bytes / Self.share else { return false }
        asked = sent
        window.sent(upTo: sent, underWay: Int(sent - acknowledged), at: time)
        return true
    }
}
