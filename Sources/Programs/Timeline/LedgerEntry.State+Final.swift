import LinkProtocol

extension LedgerEntry.State {
    /// True if no other state follows for the sender.
    var isFinal: Bool { self == .replied || self == .delivered || self == .failed || self == .coalesced }
}
