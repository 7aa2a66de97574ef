import Foundation
import LinkProtocol

/// A channel with a link condition: bytes are held in both directions until the condition releases them.
// Proof of `@unchecked Sendable`: all mutable state is confined to turns of the loop, as `EventLoop` asserts.
final class ConditionedChannel: @unchecked Sendable {
    /// A condition that is not perfect, and what it holds.
    private final class Hold {
        var condition: LinkCondition
        var outgoing: ConditionedStream
        var incoming: ConditionedStream
        var timers: [EventLoop.TimerIdentifier] = []
        var isReleaseScheduled = false

        init(_ condition: LinkCondition, _ chance: Chance) {
            var chance = chance
            self.condition = condition
            outgoing = ConditionedStream(condition.outgoing, chance.branch(), name: "outgoing")
            incoming = ConditionedStream(condition.incoming, chance.branch(), name: "incoming")
        }

        var holdsOutgoing: Bool { !condition.outgoing.isPerfect || outgoing.pendingBytes > 0 }
        var holdsIncoming: Bool { !condition.incoming.isPerfect || incoming.pendingBytes > 0 }
    }

    private let loop: EventLoop
    private let channel: StreamChannel
    /// Nil until the link is first conditioned: most links never are, and each of a host's connections has a channel.
    private var hold: Hold?
    private let chance: Chance
    private let onLateness: (FaultRule.Direction, Duration) -> Void
    private let onBytes: (UnsafeRawBufferPointer) -> Void
    private var isWanted = true
    /// The most incoming bytes held before reading from the socket pauses.
    var heldBytes = LinkLimits.helloBytes
    private var closing: String?

    init(
        loop: EventLoop, channel: StreamChannel, _ condition: LinkCondition, _ chance: Chance,
        onLateness: @escaping (FaultRule.Direction, Duration) -> Void = { _, _ in },
        onBytes: @escaping (UnsafeRawBufferPointer) -> Void
    ) {
        self.loop = loop
        self.channel = channel
        self.chance = chance
        self.onLateness = onLateness
        self.onBytes = onBytes
        hold = Self.isPerfect(condition) ? nil : Hold(condition, chance)
    }

    private static func isPerfect(_ condition: LinkCondition) -> Bool {
        condition.outgoing.isPerfect && condition.incoming.isPerfect
    }

    /// True if outgoing bytes may be held.
    var holdsOutgoing: Bool { hold?.holdsOutgoing ?? false }
    /// True if incoming bytes may be held.
    var holdsIncoming: Bool { hold?.holdsIncoming ?? false }

    func become(_ condition: LinkCondition) {
        guard let hold else {
            if !Self.isPerfect(condition) { hold = Hold(condition, chance) }
            return
        }
        guard condition != hold.condition else { return }
        hold.condition = condition
        hold.outgoing.become(condition.outgoing, at: .now)
        hold.incoming.become(condition.incoming, at: .now)
        release()
    }

    /// Writes or holds bytes. Returns false if the queue is full: the peer does not read, or the link is too slow.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let hold, hold.holdsOutgoing else { return channel.write(bytes) }
        guard hold.outgoing.pendingBytes + bytes.count <= LinkLimits.queuedBytes else { return false }
        let late = hold.outgoing.push([UInt8](bytes)[...], at: .now)
        if late > .zero { onLateness(.outgoing, late) }
        // Deferred, as it may close the channel, and the close callback may write while this frame is being created.
        if !hold.isReleaseScheduled {
            hold.isReleaseScheduled = true
            loop.atEndOfTurn { [self] in
                hold.isReleaseScheduled = false
                release()
            }
        }
        return true
    }

    func received(_ bytes: UnsafeRawBufferPointer) {
        guard let hold, hold.holdsIncoming else { return onBytes(bytes) }
        let late = hold.incoming.push([UInt8](bytes)[...], at: .now)
        if late > .zero { onLateness(.incoming, late) }
        release()
    }

    func setReading(_ isReading: Bool) {
        isWanted = isReading
        applyReading()
    }

    /// Closes the channel when all held bytes have been written.
    func closeAfterWriting(_ reason: String) {
        guard hold != nil else { return channel.closeAfterWriting(reason) }
        closing = reason
        release()
    }

    // MARK: - Time

    private func release() {
        guard let hold else { return }
        let (written, isOutCut) = hold.outgoing.take(at: .now)
        if !written.isEmpty, !written.withUnsafeBytes({ channel.write($0) }) {
            return channel.close(.byThisSide("the peer stopped reading"))
        }
        let (read, isInCut) = hold.incoming.take(at: .now)
        if !read.isEmpty { read.withUnsafeBytes { onBytes($0) } }
        if isOutCut { return channel.closeAfterWriting(Self.cut) }
        if isInCut { return channel.close(.byThisSide(Self.cut)) }
        if let closing, hold.outgoing.pendingBytes == 0 { return channel.closeAfterWriting(closing) }
        applyReading()
        arm(hold)
    }

    private static let cut = "cut by the link's condition"

    private func applyReading() { channel.setReading(isWanted && (hold?.incoming.pendingBytes ?? 0) < heldBytes) }

    private func arm(_ hold: Hold) {
        for timer in hold.timers { loop.cancel(timer) }
        hold.timers = [hold.outgoing.nextDeadline, hold.incoming.nextDeadline].compactMap { $0 }.map { deadline in
            loop.schedule(at: deadline) { [weak self] in self?.release() }
        }
    }
}
