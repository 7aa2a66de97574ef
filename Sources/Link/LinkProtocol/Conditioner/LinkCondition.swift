/// The quality of a link: the delay, bandwidth and reliability of each direction, from this device's point of view.
public struct LinkCondition: Equatable, Sendable {
    /// The distribution of the delays of single pieces around the latency.
    public enum Distribution: String, CaseIterable, Sendable {
        /// Uniform, from the latency to the latency plus the jitter.
        case uniform
        /// Normal, with the jitter as standard deviation; never below zero.
        case normal
        /// Exponential: usually short, sometimes long; the jitter is the mean of the extra delay.
        case exponential
        /// Usually no extra delay: one piece in 16 is late, uniformly up to the jitter.
        case spikes
    }

    /// One direction of the link.
    public struct Direction: Equatable, Sendable {
        /// The delay of every piece.
        public var latency: Duration = .zero
        /// The extra delay, as ``distribution`` defines it.
        public var jitter: Duration = .zero
        /// The distribution of the extra delay.
        public var distribution = Distribution.uniform
        /// The bandwidth in bytes per second; nil for unlimited.
        public var bytesPerSecond: Int?
        /// The most bytes per piece, with a ``pause`` after each: simulates a slow writer or reader. Nil for unlimited.
        public var pieceBytes: Int?
        /// The pause after each piece; only with ``pieceBytes``.
        public var pause: Duration = .zero
        /// True if nothing gets through, although nothing is lost.
        public var isStalled = false
        /// The number of bytes after which the connection breaks, usually in the middle of a frame; nil for never.
        public var cutAfterBytes: Int64?

        /// Creates a perfect direction.
        public init() {}

        package var isPerfect: Bool { self == Direction() }
    }

    /// The direction from this device to its peer.
    public var outgoing = Direction()
    /// The direction from the peer to this device.
    public var incoming = Direction()
    /// True if connections are refused and existing ones are closed: the other device is out of range.
    public var refuses = false
    /// The time for which a new connection waits before it is served. Host only.
    public var acceptDelay: Duration = .zero
    /// The periods of a link that goes up and down; nil for a link that stays up.
    public var flapping: Flapping?

    /// The periods of a flapping link.
    public struct Flapping: Equatable, Sendable {
        /// The time for which the link is up.
        public var up: Duration
        /// The time for which the link is down.
        public var down: Duration

        /// Creates the periods of a flapping link.
        public init(up: Duration, down: Duration) {
            self.up = up
            self.down = down
        }
    }

    /// Creates the condition of a perfect link.
    public init() {}

    /// Applies a change to both directions.
    package mutating func both(_ change: (inout Direction) -> Void) {
        change(&outgoing)
        change(&incoming)
    }
}
