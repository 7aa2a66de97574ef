package import Foundation
package import LinkProtocol

/// A quiz, message or transfer, as both sides recorded it.
package struct TimelinePackage: Sendable, Equatable {
    /// The last known state, as in the ledger.
    package typealias Status = LedgerEntry.State

    /// One passage over the link. An end that neither side recorded is nil: the package was lost, or the log is
    /// missing.
    package struct Arrow: Sendable, Equatable {
        package enum Meaning: Sendable, Equatable { case out, answer }
        package let meaning: Meaning
        package let from: TimelineSide
        package var left: Date?
        package var arrived: Date?
        /// True if nothing waited for it any more when it arrived.
        package var isLate = false
        /// True for an answer that refuses.
        var isRefusal = false
    }

    package let identifier: String
    package var kind: String
    /// The sending side.
    package var origin: TimelineSide?
    /// The watch that sent it or is its destination. See ``TimelineOwner/watch``.
    package var watch: String?
    package var status = Status.queued
    package var queued: Date?
    package var arrows: [Arrow] = []
    package var bytes: Int?
    package var cause: String?
    /// The injected faults that affected it.
    package var faults: [String] = []
    /// The ledger entries of its sender and receiver.
    var sender: LedgerEntry?
    var receiver: LedgerEntry?

    init(_ identifier: String, kind: String) {
        self.identifier = identifier
        self.kind = kind
    }

    /// The first and the last known time.
    package var span: ClosedRange<Date>? {
        let times = arrows.flatMap { [$0.left, $0.arrived] }.compactMap { $0 } + [queued].compactMap { $0 }
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }

    package var attempts: Int { max(arrows.count { $0.meaning == .out }, sender?.attempts ?? 0) }
}
