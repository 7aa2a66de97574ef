public import Foundation

/// What became of one message or transfer, as one side saw it.
public struct LedgerEntry: Equatable, Sendable, Codable {
    public enum Direction: String, CaseIterable, Sendable, Codable {
        case outgoing
        case incoming
    }

    /// Where it stands. `replied` and `failed` are ends; so is `delivered` for what wanted no reply, and `coalesced`.
    public enum State: String, CaseIterable, Sendable, Codable, Comparable {
        /// Durable, and not yet under way.
        case queued
        case sent
        /// Arrived, and not yet given to the delegate.
        case received
        /// Outgoing: the counterpart has it. Incoming: the delegate had it.
        case delivered
        case replied
        case failed
        /// A newer one took its place before it arrived.
        case coalesced

        /// In the order in which a message takes them.
        public static func < (left: Self, right: Self) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// Its place among the ledger's changes: an entry that changes moves to the end. 0 until it was stored.
    public var sequence: Int64 = 0
    /// The same on both sides, and over every retry.
    public let identifier: UUID
    public let direction: Direction
    /// A ``TransferKind``.
    public let kind: String
    /// The counterpart; nil if it is not known yet.
    public var device: UUID?
    /// Of the payload.
    public var bytes: Int64
    public var state: State
    /// Why it is in this state: the error, or what happened. Never nil for a failure.
    public var cause: String?
    /// What took its place, or what it repeats.
    public var related: UUID?
    /// How often it was sent, or how often it arrived.
    public var attempts: Int = 0
    public var queuedAt: Date?
    public var sentAt: Date?
    public var receivedAt: Date?
    public var deliveredAt: Date?
    /// When it was replied to, failed or was coalesced.
    public var endedAt: Date?

    public init(
        identifier: UUID, direction: Direction, kind: TransferKind, device: UUID?, bytes: Int64, state: State
    ) {
        self.identifier = identifier
        self.direction = direction
        self.kind = kind.rawValue
        self.device = device
        self.bytes = bytes
        self.state = state
    }

    /// Takes another state, at a time.
    package mutating func become(_ state: State, at time: Date, cause: String? = nil, related: UUID? = nil) {
        if returnsLate(state) {
            deliveredAt = time
            return
        }
        if isMovedLate(state) {
            guard state == .sent else { return }
            sentAt = sentAt ?? time
            attempts += 1
            return
        }
        self.cause = cause
        if let related { self.related = related }
        // A repeat is counted; what became of the first stays as it is.
        guard related != identifier else {
            attempts += 1
            return
        }
        self.state = state
        switch state {
        case .queued: queuedAt = queuedAt ?? time
        case .sent:
            sentAt = sentAt ?? time
            attempts += 1
        case .received:
            receivedAt = receivedAt ?? time
            attempts += 1
        case .delivered: deliveredAt = time
        case .replied, .failed, .coalesced: endedAt = time
        }
    }

    /// Whether a delegate's method returns that has replied before: it was done with the message then.
    private func returnsLate(_ state: State) -> Bool {
        state == .delivered && direction == .incoming && endedAt != nil
    }

    /// Whether a context goes out, or back into the queue, whose place a newer one has taken in the meantime: it stays coalesced,
    /// however it arrives.
    private func isMovedLate(_ state: State) -> Bool {
        (state == .sent || state == .queued) && self.state == .coalesced && direction == .outgoing
    }

    /// What both tell of one message, this one of what came earlier.
    package func merging(_ news: LedgerEntry) -> LedgerEntry {
        var entry = self
        // A repeat, like a late return, leaves the state as it is.
        if news.related != identifier, !returnsLate(news.state), !isMovedLate(news.state) {
            entry.state = news.state
            entry.cause = news.cause
        }
        entry.device = news.device ?? device
        entry.bytes = max(bytes, news.bytes)
        entry.related = news.related ?? related
        entry.attempts += news.attempts
        entry.queuedAt = queuedAt ?? news.queuedAt
        entry.sentAt = sentAt ?? news.sentAt
        entry.receivedAt = receivedAt ?? news.receivedAt
        entry.deliveredAt = news.deliveredAt ?? deliveredAt
        entry.endedAt = news.endedAt ?? endedAt
        return entry
    }
}
