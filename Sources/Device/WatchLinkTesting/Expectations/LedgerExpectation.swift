import LinkProtocol

/// An expectation about what a ledger holds.
struct LedgerExpectation: Sendable {
    /// The end of the content's way that the side is.
    enum End: Sendable { case sender, receiver }

    /// The entries that are counted.
    private struct Count {
        let ledger: PairSide
        let direction: LedgerEntry.Direction
        let state: LedgerEntry.State
    }

    let content: SentContent
    let side: PairSide
    let end: End
    let state: LedgerEntry.State
    let times: ClosedRange<Int>

    /// The side whose ledger answers; nil if no ledger can.
    var ledger: PairSide? { count?.ledger }

    private var count: Count? {
        switch (content, end, state) {
        // A reply is the end of its message: the side that replies has received that, the other one has sent it.
        case (.reply, .sender, .sent): Count(ledger: side, direction: .incoming, state: .replied)
        case (.reply, .sender, .received), (.reply, .sender, .delivered), (.reply, .sender, .replied):
            Count(ledger: side.other, direction: .outgoing, state: .replied)
        case (.reply, .receiver, .received), (.reply, .receiver, .delivered), (.reply, .receiver, .replied):
            Count(ledger: side, direction: .outgoing, state: .replied)
        case (.reply, _, _), (_, .receiver, .queued), (_, .receiver, .sent), (_, .receiver, .coalesced): nil
        // A sender never learns this by itself.
        case (_, .sender, .received): Count(ledger: side.other, direction: .incoming, state: .received)
        case (_, .sender, _): Count(ledger: side, direction: .outgoing, state: state)
        case (_, .receiver, _): Count(ledger: side, direction: .incoming, state: state)
        }
    }

    /// The reason why no ledger can ever hold this; nil if one can.
    var obstacle: String? {
        if times.upperBound < 0 { return "it expects \(times.upperBound) times; use 0 or more" }
        guard count == nil else { return nil }
        return content == .reply
            ? "a reply is sent or delivered; for one that never came, expect its message to have failed"
            : "a receiver's ledger never says “\(state)”; ask the sender's, with from:"
    }

    /// Returns the entries about the content, whatever their state.
    func entries(of ledger: [LedgerEntry]) -> [LedgerEntry] {
        guard let count else { return [] }
        let kinds = content.kinds.map(\.rawValue)
        return ledger.filter { $0.direction == count.direction && kinds.contains($0.kind) }
    }

    /// Returns true if an entry is in the expected state, or has passed it. The number of such entries only grows.
    func counts(_ entry: LedgerEntry) -> Bool {
        switch count?.state {
        case .queued: entry.queuedAt != nil || entry.state == .queued
        case .sent: entry.sentAt != nil || [.sent, .delivered, .replied].contains(entry.state)
        case .received: entry.receivedAt != nil || [.received, .delivered, .replied].contains(entry.state)
        case .delivered: entry.deliveredAt != nil || [.delivered, .replied].contains(entry.state)
        case .replied, .failed, .coalesced: entry.state == count?.state
        case nil: false
        }
    }

    /// The expectation in words.
    var description: String {
        let number: String
        switch (times.lowerBound, times.upperBound) {
        case (let least, let most) where least == most: number = "exactly \(least) \(content.counted(least))"
        case (let least, .max): number = "at least \(least) \(content.counted(least))"
        case (...0, let most): number = "at most \(most) \(content.counted(most))"
        case (let least, let most): number = "\(least) to \(most) \(content.counted(most))"
        }
        return "\(number) \(end == .sender ? "from" : "at") the \(side.rawValue), \(state)"
    }
}
