package import Foundation

/// The messages of one session that are in flight in either direction: statuses, matching of replies, time-outs.
///
/// Each message of this side is an ``OutgoingDelivery``. Only identifiers and statuses are kept here; payloads and
/// handlers stay with the driver, which looks them up by identifier.
package struct DeliveryStateMachine: Sendable {
    private struct Deadline {
        let identifier: UUID
        let time: MonotonicTime
    }

    /// The number of deadlines of answered messages that may be kept in addition to one per open message. 64: removing
    /// them takes a pass over all, so it is done for many at a time; 1.5 KB per session.
    private static let spareDeadlines = 64

    private let replyNanoseconds: Int64
    private var outgoing: [IdentifierKey: OutgoingDelivery] = [:]
    /// A message that the delegate is handling. Most peers send one at a time, which needs no table: a phone may have thousands of
    /// watches.
    private var handled: IdentifierKey?
    /// Further messages that the delegate is handling.
    private var alsoHandled: Set<IdentifierKey> = []
    /// Ordered by time, as every message waits equally long. Deadlines of answered messages are removed in batches.
    private var deadlines: Deque<Deadline> = Deque()
    private var timedOut: Set<IdentifierKey> = []
    private var timedOutInOrder: Deque<UUID> = Deque()

    package init(replyTimeout: Duration) {
        replyNanoseconds = replyTimeout.wholeNanoseconds
    }

    package var outstandingCount: Int { outgoing.count }

    /// The number of deadlines kept, including those of answered messages: proportional to the open messages,
    /// regardless of how many were sent.
    package var deadlineCount: Int { deadlines.count }

    // MARK: - Outgoing

    package enum SendAction: Equatable, Sendable {
        /// Write the package.
        case transmit
        /// A message with this identifier is already in flight.
        case refuseDuplicate
        /// ``LinkLimits/outstandingMessages`` are already waiting.
        case refuseFull
    }

    package mutating func send(_ identifier: UUID, wantsReply: Bool, at time: MonotonicTime) -> SendAction {
        guard outgoing.count < LinkLimits.outstandingMessages else {
            return outgoing[identifier] == nil ? .refuseFull : .refuseDuplicate
        }
        let deadline = MonotonicTime(nanoseconds: time.nanoseconds &+ replyNanoseconds)
        let message = OutgoingDelivery(wantsReply: wantsReply, deadline: deadline)
        // Inserted unconditionally, and restored if it is a duplicate: one table look-up for nearly every message.
        if let former = outgoing.updateValue(message, forKey: identifier) {
            outgoing[identifier] = former
            return .refuseDuplicate
        }
        deadlines.append(Deadline(identifier: identifier, time: deadline))
        if deadlines.count > 2 * outgoing.count + Self.spareDeadlines { deadlines = Deque(deadlines.filter(isOpen)) }
        return .transmit
    }

    /// Returns true if the message waits for its reply until this deadline. An answered message may be sent again, with
    /// a later deadline.
    private func isOpen(_ deadline: Deadline) -> Bool {
        outgoing[deadline.identifier]?.deadlinePassed(deadline.time).isOverdue == true
    }

    package enum AnswerAction: Equatable, Sendable {
        /// Pass the reply to the message's handler.
        case reply(UUID)
        /// The message arrived; its sender expected no reply.
        case delivered(UUID)
        /// The message failed at the peer: pass the error to its handler.
        case fail(UUID)
        /// The message had already timed out and its handler was called.
        case tooLate(UUID)
        /// This session sent no such message.
        case unknown(UUID)
        /// The peer reported a status that cannot follow.
        case illegal(IllegalTransition)
    }

    /// Handles a package that answers another.
    package mutating func answered(_ identifier: UUID, with status: DeliveryStatus) -> AnswerAction {
        guard let place = outgoing.index(forKey: identifier) else {
            return timedOut.contains(identifier) ? .tooLate(identifier) : .unknown(identifier)
        }
        do {
            let (next, answer) = try outgoing.values[place].answered(with: status)
            become(next, at: place)
            return switch answer {
            case .replied: .reply(identifier)
            case .delivered: .delivered(identifier)
            case .failed: .fail(identifier)
            }
        } catch {
            return .illegal(error)
        }
    }

    /// Stores the next state; completed messages leave the table.
    private mutating func become(_ next: OutgoingDelivery, at place: Dictionary<IdentifierKey, OutgoingDelivery>.Index)
    {
        switch next {
        case .awaitsReply, .awaitsDelivery: outgoing.values[place] = next
        case .over: outgoing.remove(at: place)
        }
    }

    /// Returns the messages whose reply is overdue; they are removed here, and the driver must notify their handlers.
    package mutating func deadlinePassed(at time: MonotonicTime) -> [UUID] {
        var overdue: [UUID] = []
        while let first = deadlines.first, first.time <= time {
            deadlines.removeFirst()
            guard let place = outgoing.index(forKey: first.identifier) else { continue }
            let (next, isOverdue) = outgoing.values[place].deadlinePassed(first.time)
            become(next, at: place)
            guard isOverdue else { continue }
            overdue.append(first.identifier)
            remember(first.identifier)
        }
        return overdue
    }

    package var nextDeadline: MonotonicTime? {
        mutating get {
            while let first = deadlines.first, !isOpen(first) { deadlines.removeFirst() }
            return deadlines.first?.time
        }
    }

    /// Fails all messages in flight, as the connection is lost and no reply can arrive any more, and returns them.
    package mutating func connectionLost() -> [UUID] {
        let lost = deadlines.filter(isOpen).map(\.identifier)
        outgoing.removeAll()
        deadlines.removeAll()
        handled = nil
        alsoHandled.removeAll()
        return lost
    }

    // MARK: - Incoming

    /// Records an incoming message and returns true if the delegate should see it. A duplicate of a message that is
    /// still being handled is not delivered again.
    package mutating func received(_ identifier: UUID) -> Bool {
        let key = IdentifierKey(identifier)
        if handled == nil, !alsoHandled.contains(key) {
            handled = key
            return true
        }
        return handled != key && alsoHandled.insert(key).inserted
    }

    /// Records that the delegate has handled a message, which is answered with this status.
    ///
    /// - Returns: False if the message's connection is lost, so that the answer cannot be sent.
    /// - Throws: ``IllegalTransition`` if the message was answered before.
    package mutating func answering(_ identifier: UUID, with status: DeliveryStatus) throws(IllegalTransition) -> Bool {
        let key = IdentifierKey(identifier)
        guard handled == key || alsoHandled.contains(key) else { return false }
        _ = try DeliveryStatus.received.becoming(status)
        if handled == key {
            handled = nil
        } else {
            alsoHandled.remove(key)
        }
        return true
    }

    private mutating func remember(_ identifier: UUID) {
        timedOut.insert(identifier)
        timedOutInOrder.append(identifier)
        if timedOutInOrder.count > LinkLimits.rememberedTimeouts, let oldest = timedOutInOrder.first {
            timedOutInOrder.removeFirst()
            timedOut.remove(oldest)
        }
    }
}
