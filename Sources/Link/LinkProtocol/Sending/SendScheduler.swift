/// Decides what to send to a peer next: messages before transfers, in pieces that fit the window.
///
/// Packages wait in lanes until the window has room. The most urgent of three classes that has data is sent first; its
/// lanes take turns. Each lower class may always have an eighth of the window in flight, so that none starves.
package struct SendScheduler: Sendable {
    /// The fraction of the window reserved for each urgency: one eighth.
    private static let share = 8
    /// The interval of progress reports for queued packages. 5 s: well below their time-out.
    private static let newsInterval: Duration = .seconds(5)

    /// A whole package or a piece to write now.
    package struct Piece: Equatable, Sendable {
        package let lane: SendLane
        /// The length of the whole package.
        package let length: Int
        package let offset: Int
        package let bytes: ArraySlice<UInt8>
        package let wantsAcknowledgement: Bool

        package var isWhole: Bool { bytes.count == length }

        /// The header on the wire.
        package var header: [UInt8] {
            guard isWhole else {
                return PieceHeader(stream: lane.rawValue, length: length, offset: offset).frame(
                    count: bytes.count, wantsAcknowledgement: wantsAcknowledgement)
            }
            let header = FrameHeader(.package, length: length, wantsAcknowledgement: wantsAcknowledgement)
            return withUnsafeBytes(of: header.word.bigEndian) { Array($0) }
        }
    }

    /// Unacknowledged bytes of one write; `end` is the position after them.
    private struct Flight: Sendable {
        let urgency: SendUrgency
        var end: Int64
        var count: Int
    }

    private var lanes = [Deque<[UInt8]>](repeating: Deque(), count: SendLane.allCases.count)
    /// The bytes already sent of each lane's first package.
    private var offsets = [Int](repeating: 0, count: SendLane.allCases.count)
    private var turns = [Int](repeating: 0, count: SendUrgency.allCases.count)
    private var waiting = [Int](repeating: 0, count: SendUrgency.allCases.count)
    /// The sum over all urgencies: checked after each package, and usually zero.
    private var waitingBytes = 0
    private var flights = Deque<Flight>()
    private var flying = [Int](repeating: 0, count: SendUrgency.allCases.count)
    private var sent: Int64 = 0
    private var acknowledged: Int64 = 0
    /// The position up to which an acknowledgement was requested.
    private var asked: Int64 = 0
    private var window = SendWindow()
    private var lastNews: MonotonicTime?

    package init() {}

    /// Discards the measurements, as the link has changed.
    ///
    /// - Parameter isConditioned: True if outgoing bytes are delayed on this side.
    package mutating func linkChanged(isConditioned: Bool) { window.reset(isConditioned: isConditioned) }

    // MARK: - Input

    /// Reserves room for a package that can be written immediately.
    ///
    /// - Returns: True if the write must request an acknowledgement; nil if the package must be queued.
    package mutating func pass(_ lane: SendLane, bytes count: Int, at time: MonotonicTime) -> Bool? {
        guard lanes[lane.rawValue].isEmpty, count <= window.pieceBytes, hasRoom(for: lane.urgency) else { return nil }
        return fly(lane.urgency, count + FrameHeader.bytes, at: time)
    }

    /// Queues the body of a package. Returns false if the queue of its urgency is full.
    package mutating func enqueue(_ lane: SendLane, _ bytes: [UInt8]) -> Bool {
        let urgency = lane.urgency.rawValue
        guard waiting[urgency] + bytes.count <= LinkLimits.queuedBytes else { return false }
        waiting[urgency] += bytes.count
        waitingBytes += bytes.count
        lanes[lane.rawValue].append(bytes)
        return true
    }

    /// Handles an acknowledgement.
    ///
    /// - Throws: ``ProtocolError`` if it does not match the bytes sent.
    package mutating func acknowledged(
        _ acknowledgement: Acknowledgement, at time: MonotonicTime
    ) throws(ProtocolError) {
        let end = acknowledgement.end
        guard (acknowledged...sent).contains(end) else {
            throw ProtocolError(
                .badAcknowledgement, "\(end) bytes; expected \(acknowledged) to \(sent)")
        }
        acknowledged = end
        while let flight = flights.first, flight.end <= end {
            flying[flight.urgency.rawValue] -= flight.count
            flights.removeFirst()
        }
        window.acknowledged(acknowledgement, at: time)
    }

    // MARK: - Output

    /// Returns the next piece to write; nil if nothing is queued or everything must wait for an acknowledgement.
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

    /// Returns the rest of the urgent packages regardless of the window, for a connection that is about to close.
    package mutating func last(at time: MonotonicTime) -> Piece? {
        guard let lane = nextLane(of: .interactive) else { return nil }
        return piece(of: lane, LinkLimits.frameBytes, at: time)
    }

    /// Returns true if progress of queued packages should be reported, after an acknowledgement.
    package mutating func takeNews(at time: MonotonicTime) -> Bool {
        guard waitingBytes > 0, lastNews.map({ time - $0 >= Self.newsInterval }) ?? true else {
            return false
        }
        lastNews = time
        return true
    }

    // MARK: - Rules

    /// If no acknowledgement is outstanding, something must be sent, or none would ever arrive.
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

    /// Records a write.
    ///
    /// - Returns: True if it must request an acknowledgement, which happens eight times per window.
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
