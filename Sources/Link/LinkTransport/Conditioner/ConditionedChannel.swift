import Foundation
import LinkProtocol

/// A channel with a link condition: bytes are held in both directions until the condition releases them.
// Proof of `@unchecked Sendable`: all mutable state is confined to turns of the loop, as `EventLoop` asserts.
final class ConditionedChannel: @unchecked Sendable {
    private let loop: EventLoop
    private let channel: StreamChannel
    private var outgoing: ConditionedStream
    private var incoming: ConditionedStream
    private var condition: LinkCondition
    /// True for each direction that passes bytes without consulting the clock: checked for every write and read.
    private var passes: (out: Bool, in: Bool)
    private let onLateness: (FaultRule.Direction, Duration) -> Void
    private let onBytes: (UnsafeRawBufferPointer) -> Void
    private var timers: [EventLoop.TimerIdentifier] = []
    private var isWanted = true
    /// The most incoming bytes held before reading from the socket pauses.
    var heldBytes = LinkLimits.helloBytes
    private var closing: String?
    private var isReleaseScheduled = false

    init(
        loop: EventLoop, channel: StreamChannel, _ condition: LinkCondition, _ chance: Chance,
        onLateness: @escaping (FaultRule.Direction, Duration) -> Void = { _, _ in },
        onBytes: @escaping (UnsafeRawBufferPointer) -> Void
    ) {
        self.loop = loop
        self.channel = channel
        self.condition = condition
        passes = (condition.outgoing.isPerfect, condition.incoming.isPerfect)
        self.onLateness = onLateness
        self.onBytes = onBytes
        var chance = chance
        outgoing = ConditionedStream(condition.outgoing, chance.branch(), name: "outgoing")
        incoming = ConditionedStream(condition.incoming, chance.branch(), name: "incoming")
    }

    /// True if outgoing bytes may be held.
    var holdsOutgoing: Bool { !passes.out || outgoing.pendingBytes > 0 }
    /// True if incoming bytes may be held.
    var holdsIncoming: Bool { !passes.in || incoming.pendingBytes > 0 }

    func become(_ condition: LinkCondition) {
        guard condition != self.condition else { return }
        self.condition = condition
        passes = (condition.outgoing.isPerfect, condition.incoming.isPerfect)
        outgoing.become(condition.outgoing, at: .now)
        incoming.become(condition.incoming, at: .now)
        release()
    }

    /// Writes or holds bytes. Returns false if the queue is full: the peer does not read, or the link is too slow.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard holdsOutgoing else { return channel.write(bytes) }
        guard outgoing.pendingBytes + bytes.count <= LinkLimits.queuedBytes else { return false }
        let late = outgoing.push([UInt8](bytes)[...], at: .now)
        if late > .zero { onLateness(.outgoing, late) }
        // Deferred, as it may close the channel, and the close callback may write while this frame is being created.
        if !isReleaseScheduled {
            isReleaseScheduled = true
            loop.atEndOfTurn { [self] in
                isReleaseScheduled = false
                release()
            }
        }
        return true
    }

    func received(_ bytes: UnsafeRawBufferPointer) {
        guard holdsIncoming else { return onBytes(bytes) }
        let late = incoming.push([UInt8](bytes)[...], at: .now)
        if late > .zero { onLateness(.incoming, late) }
        release()
    }

    func setReading(_ isReading: Bool) {
        isWanted = isReading
        applyReading()
    }

    /// Closes the channel when all held bytes have been written.
    func closeAfterWriting(_ reason: String) {
        closing = reason
        release()
    }

    // MARK: - Time

    private func release() {
        let (written, isOutCut) = outgoing.take(at: .now)
        if !written.isEmpty, !written.withUnsafeBytes({ channel.write($0) }) {
            return channel.close(.byThisSide("the peer stopped reading"))
        }
        let (read, isInCut) = incoming.take(at: .now)
        if !read.isEmpty { read.withUnsafeBytes { onBytes($0) } }
        if isOutCut { return channel.closeAfterWriting(Self.cut) }
        if isInCut { return channel.close(.byThisSide(Self.cut)) }
        if let closing, outgoing.pendingBytes == 0 { return channel.closeAfterWriting(closing) }
        applyReading()
        arm()
    }

    private static let cut = "cut by the link's condition"

    private func applyReading() { channel.setReading(isWanted && incoming.pendingBytes < heldBytes) }

    private func arm() {
        for timer in timers { loop.cancel(timer) }
        timers = [outgoing.nextDeadline, incoming.nextDeadline].compactMap { $0 }.map { deadline in
            loop.schedule(at: deadline) { [weak self] in self?.release() }
        }
    }
}
