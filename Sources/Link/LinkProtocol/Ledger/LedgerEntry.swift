public import Foundation

/// The history of one message or transfer, as one side saw it.
public struct LedgerEntry: Equatable, Sendable, Codable {
    /// The direction of a message or transfer.
    public enum Direction: String, CaseIterable, Sendable, Codable {
        /// Sent by this side.
        case outgoing
        /// Received by this side.
        case incoming
    }

    /// The state of a message or transfer. `replied`, `failed` and `coalesced` are final; so is `delivered` if no reply
    /// was requested.
    public enum State: String, CaseIterable, Sendable, Codable, Comparable {
        /// Durable, but not yet sent.
        case queued
        /// Sent, but not yet acknowledged.
        case sent
        /// Received, but not yet passed to the delegate.
        case received
        /// Outgoing: the counterpart has it. Incoming: the delegate has handled it.
        case delivered
        /// A reply was sent or received.
        case replied
        /// Failed, for the reason in ``LedgerEntry/cause``.
        case failed
        /// Superseded by a newer one before it arrived.
        case coalesced

        /// Orders states as a message passes through them.
        public static func < (left: Self, right: Self) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// The position among the ledger's changes: a changed entry moves to the end. 0 until stored.
    public var sequence: Int64 = 0
    /// The identifier, the same on both sides and for every retry.
    public let identifier: UUID
    /// The direction, as seen from this side.
    public let direction: Direction
    /// The raw value of a ``TransferKind``.
    public let kind: String
    /// The counterpart; nil if not yet known.
    public var device: UUID?
    /// The size of the payload in bytes.
    public var bytes: Int64
    /// The current state.
    public var state: State
    /// The reason for the state: the error or the event. Never nil for a failure.
    public var cause: String?
    /// The superseding transfer, or the original of a duplicate.
    public var related: UUID?
    /// The number of times it was sent or received.
    public var attempts: Int = 0
    /// The time when it became durable.
    public var queuedAt: Date?
    /// The time when it was first sent.
    public var sentAt: Date?
    /// The time when it first arrived.
    public var receivedAt: Date?
    /// The time of the `delivered` state.
    public var deliveredAt: Date?
    /// The time when it was replied to, failed or was superseded.
    public var endedAt: Date?

    /// Creates an entry without times.
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

    /// Records a state change at a time.
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
        // A duplicate is counted; the state of the original is kept.
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

    /// True if a delegate method returns after it has replied: the message was complete then.
    private func returnsLate(_ state: State) -> Bool {
        state == .delivered && direction == .incoming && endedAt != nil
    }

    /// True if a context is sent or requeued after a newer one superseded it: it stays coalesced, even if it arrives.
    private func isMovedLate(_ state: State) -> Bool {
        (state == .sent || state == .queued) && self.state == .coalesced && direction == .outgoing
    }

    /// Returns the combination of this entry with a later one for the same message.
    package func merging(_ news: LedgerEntry) -> LedgerEntry {
        var entry = self
        // A duplicate or a late return does not change the state.
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
