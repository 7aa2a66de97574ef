/// What a link is like: how late, how slow and how reliable each direction is, as this device sees it.
public struct LinkCondition: Equatable, Sendable {
    /// How the delays of single pieces spread around the latency.
    public enum Distribution: String, CaseIterable, Sendable {
        /// Evenly, up to the jitter more.
        case uniform
        /// As a bell curve whose deviation is the jitter; never less than nothing.
        case normal
        /// Mostly little, sometimes much: the jitter more on average.
        case exponential
        /// Mostly nothing: one piece in 16 is late, evenly up to the jitter.
        case spikes
    }

    /// One direction of the link.
    public struct Direction: Equatable, Sendable {
        public var latency: Duration = .zero
        public var jitter: Duration = .zero
        public var distribution = Distribution.uniform
        /// Nil for as many as the socket takes.
        public var bytesPerSecond: Int?
        /// At most so many bytes at a time, with ``pause`` between: a slow writer, or a slow reader. Nil for all there is.
        public var pieceBytes: Int?
        public var pause: Duration = .zero
        /// Nothing gets through, and nothing is lost.
        public var isStalled = false
        /// The connection breaks when so many bytes have passed: in the middle of a frame, mostly.
        public var cutAfterBytes: Int64?

        public init() {}

        package var isPerfect: Bool { self == Direction() }
    }

    public var outgoing = Direction()
    public var incoming = Direction()
    /// No connection is made, and those that there are break: the other device is out of range.
    public var refuses = false
    /// How long a connection waits before it is served. Host only.
    public var acceptDelay: Duration = .zero
    /// How long the link is there and gone in turn; nil for always there.
    public var flapping: Flapping?

    public struct Flapping: Equatable, Sendable {
        public var up: Duration
        public var down: Duration

        public init(up: Duration, down: Duration) {
            self.up = up
            self.down = down
        }
    }

    public init() {}

    /// The same in both directions.
    package mutating func both(_ change: (inout Direction) -> Void) {
        change(&outgoing)
        change(&incoming)
    }
}
