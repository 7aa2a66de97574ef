package import Foundation
package import LinkProtocol

/// A quiz, a message or a transfer on its way, as both sides saw it.
package struct TimelinePackage: Sendable, Equatable {
    /// What became of it last, in the words of the ledger.
    package typealias Status = LedgerEntry.State

    /// One way of something over the link. An end that no side wrote down is nil: it got lost, or its log is missing.
    package struct Arrow: Sendable, Equatable {
        package enum Meaning: Sendable, Equatable { case out, answer }
        package let meaning: Meaning
        package let from: TimelineSide
        package var left: Date?
        package var arrived: Date?
        /// Whether nobody waited for it any more when it arrived.
        package var isLate = false
        /// Whether it is an answer that says no.
        var isRefusal = false
    }

    package let identifier: String
    package var kind: String
    /// Who sent it.
    package var origin: TimelineSide?
    /// Which watch sent it, or is to have it. See ``TimelineLife/watch``.
    package var watch: String?
    package var status = Status.queued
    package var queued: Date?
    package var arrows: [Arrow] = []
    package var bytes: Int?
    package var cause: String?
    /// Faults on demand that met it.
    package var faults: [String] = []
    /// What the ledgers of its sender and its receiver say of it.
    var sender: LedgerEntry?
    var receiver: LedgerEntry?

    init(_ identifier: String, kind: String) {
        self.identifier = identifier
        self.kind = kind
    }

    /// The first and the last time that anything is known of it.
    package var span: ClosedRange<Date>? {
        let times = arrows.flatMap { [$0.left, $0.arrived] }.compactMap { $0 } + [queued].compactMap { $0 }
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }

    package var attempts: Int { max(arrows.count { $0.meaning == .out }, sender?.attempts ?? 0) }

    /// Whether nothing more is to be expected of it.
    var isOver: Bool { status == .replied || status == .delivered || status == .failed || status == .coalesced }
}
