import Foundation

/// One direction of a conditioned link: delays the bytes pushed into it as the condition says, and keeps their order.
package struct ConditionedStream {
    private struct Piece {
        let bytes: ArraySlice<UInt8>
        let release: MonotonicTime
    }

    /// The number of portions per second under a bandwidth limit. 50: a slow link trickles instead of bursting.
    private static let portionsPerSecond = 50

    /// The name of the direction in fault descriptions.
    private let name: String
    private var direction: LinkCondition.Direction
    private var chance: Chance
    private var pieces = Deque<Piece>()
    /// The time at which the link will have carried all queued bytes.
    private var freeAt = MonotonicTime(nanoseconds: .min)
    private var lastRelease = MonotonicTime(nanoseconds: .min)
    private var passed: Int64 = 0
    package private(set) var pendingBytes = 0

    /// - Parameter name: The direction's name in fault descriptions: “outgoing”.
    package init(_ direction: LinkCondition.Direction, _ chance: Chance, name: String = "link") {
        self.name = name
        self.direction = direction
        self.chance = chance
    }

    /// Applies another condition from now on, also to queued bytes.
    package mutating func become(_ direction: LinkCondition.Direction, at time: MonotonicTime) {
        self.direction = direction
        let waiting = pieces
        pieces.removeAll()
        pendingBytes = 0
        (freeAt, lastRelease, passed) = (time, time, 0)
        for piece in waiting { push(piece.bytes, at: time) }
    }

    /// Queues bytes.
    ///
    /// - Returns: The longest delay of a part of them beyond the latency.
    @discardableResult
    package mutating func push(_ bytes: ArraySlice<UInt8>, at time: MonotonicTime) -> Duration {
        var longest = Duration.zero
        pendingBytes += bytes.count
        var rest = bytes
        while !rest.isEmpty {
            let piece = rest.prefix(portion)
            rest = rest.dropFirst(piece.count)
            freeAt = max(freeAt, time) + carrying(piece.count)
            // Order is kept: a late piece delays those after it.
            let delay = delay()
            longest = max(longest, delay - direction.latency)
            lastRelease = max(lastRelease, freeAt + delay)
            pieces.append(Piece(bytes: piece, release: lastRelease))
        }
        return longest
    }

    /// Returns the bytes that are due, and true if the connection breaks after them.
    package mutating func take(at time: MonotonicTime) -> (bytes: [UInt8], isCut: Bool) {
        var bytes: [UInt8] = []
        while let piece = takePiece(at: time) {
            bytes += piece
            if isCut { return (bytes, true) }
        }
        return (bytes, false)
    }

    /// Returns the next bytes that are due, at most those of one push; nil if there are none.
    package mutating func takePiece(at time: MonotonicTime) -> ArraySlice<UInt8>? {
        guard !direction.isStalled, let piece = pieces.first, piece.release <= time else { return nil }
        pieces.removeFirst()
        pendingBytes -= piece.bytes.count
        let bytes = direction.cutAfterBytes.map { piece.bytes.prefix(Int(max($0 - passed, 0))) } ?? piece.bytes
        passed += Int64(piece.bytes.count)
        return bytes
    }

    /// True if the connection breaks after the bytes that were taken.
    private var isCut: Bool { direction.cutAfterBytes.map { passed >= $0 } ?? false }

    /// The time at which ``take(at:)`` returns something; nil if nothing is queued or the direction is stalled.
    package var nextDeadline: MonotonicTime? { direction.isStalled ? nil : pieces.first?.release }

    private var portion: Int {
        let ofBandwidth = direction.bytesPerSecond.map { max(1, $0 / Self.portionsPerSecond) } ?? .max
        return min(direction.pieceBytes ?? .max, ofBandwidth)
    }

    private func carrying(_ count: Int) -> Duration {
        let seconds = direction.bytesPerSecond.map { Double(count) / Double($0) } ?? 0
        let pause = direction.pieceBytes == nil ? Duration.zero : direction.pause
        return .nanoseconds(Int64(seconds * 1_000_000_000)) + pause
    }

    /// One piece in 16 is late: most of an app's traffic is on time, and an hour still has some late pieces.
    private static let spikes: UInt32 = 16

    /// The quantile function of the standard normal distribution, to about a hundredth: Tukey's lambda distribution,
    /// which has a closed form.
    private static func bell(_ part: Double) -> Double { (pow(part, 0.135) - pow(1 - part, 0.135)) / 0.1975 }

    /// The subject of the decision on a piece's delay.
    private static func lateness(_ name: String, _ longest: Duration) -> String {
        "\(name) piece \(Chance.numberMark) is late, by up to \(longest.inSeconds) s"
    }

    private mutating func delay() -> Duration {
        guard direction.jitter > .zero else { return direction.latency }
        let (jitter, name, longest) = (direction.jitter.inSeconds, name, direction.jitter)
        let more: Double =
            switch direction.distribution {
            case .uniform: jitter * chance.part(Self.lateness(name, longest))
            case .normal: jitter * Self.bell(chance.part(Self.lateness(name, longest)))
            case .exponential: jitter * -log(1 - chance.part(Self.lateness(name, longest)))
            case .spikes: jitter * chance.part(oneIn: Self.spikes, Self.lateness(name, longest))
            }
        return .nanoseconds(Int64(max(0, direction.latency.inSeconds + more) * 1_000_000_000))
    }
}
