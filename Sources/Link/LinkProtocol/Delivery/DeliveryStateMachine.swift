package import Foundation

/// The messages of one session that are under way, both directions: statuses, correlation of replies, time-outs.
///
/// Each message of this side is an ``OutgoingDelivery``. It holds identifiers and statuses only; payloads and handlers stay with the driver, which looks them up by identifier.
package struct DeliveryStateMachine: Sendable {
    private struct Deadline {
        let identifier: UUID
        let time: MonotonicTime
    }

    /// Deadlines of answered messages that may be kept beside as many as there are open ones. 64: they are dropped by a pass
    /// over all, which is worth it for some; 1.5 KB for a session.
    private static let spareDeadlines = 64

    private let replyNanoseconds: Int64
    private var outgoing: [UUID: OutgoingDelivery] = [:]
    private var incoming: [UUID: DeliveryStatus] = [:]
    /// In the order of time, as every message waits equally long. Those of answered messages are dropped now and then.
    private var deadlines: Deque<Deadline> = Deque()
    private var timedOut: Set<UUID> = []
    private var timedOutInOrder: Deque<UUID> = Deque()

    package init(replyTimeout: Duration) {
        replyNanoseconds = replyTimeout.wholeNanoseconds
    }

    package var outstandingCount: Int { outgoing.count }

    /// Deadlines that are kept, of answered messages too: in proportion to the messages that are open, whatever has been sent.
    package var deadlineCount: Int { deadlines.count }

    // MARK: - Outgoing

    package enum SendAction: Equatable, Sendable {
        /// Write the package.
        case transmit
        /// A message of this identifier is under way already.
        case refuseDuplicate
        /// ``LinkLimits/outstandingMessages`` wait already.
        case refuseFull
    }

    package mutating func send(_ identifier: UUID, wantsReply: Bool, at time: MonotonicTime) -> SendAction {
        guard outgoing.count < LinkLimits.outstandingMessages else {
            return outgoing[identifier] == nil ? .refuseFull : .refuseDuplicate
        }
        let deadline = MonotonicTime(nanoseconds: time.nanoseconds &+ replyNanoseconds)
        let message = OutgoingDelivery(wantsReply: wantsReply, deadline: deadline)
        // Put in at once, and taken back if it is a repeat: one look into the table for nearly every message.
        if let former = outgoing.updateValue(message, forKey: identifier) {
            outgoing[identifier] = former
            return .refuseDuplicate
        }
        deadlines.append(Deadline(identifier: identifier, time: deadline))
        if deadlines.count > 2 * outgoing.count + Self.spareDeadlines { deadlines = Deque(deadlines.filter(isOpen)) }
        return .transmit
    }

    /// Whether the message waits for its reply until then. One that was answered may be sent again, with a later deadline.
    private func isOpen(_ deadline: Deadline) -> Bool {
        outgoing[deadline.identifier]?.deadlinePassed(deadline.time).isOverdue == true
    }

    package enum AnswerAction: Equatable, Sendable {
        /// The message is replied: give the reply to its handler.
        case reply(UUID)
        /// The message arrived; its sender wanted no more.
        case delivered(UUID)
        /// The message failed over there: give the error to its handler.
        case fail(UUID)
        /// The message timed out before: its handler has fired already.
        case tooLate(UUID)
        /// No such message was sent by this session.
        case unknown(UUID)
        /// The peer claims a status that cannot follow.
        case illegal(IllegalTransition)
    }

    /// A package that answers another arrived.
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

    /// What is over leaves the table.
    private mutating func become(_ next: OutgoingDelivery, at place: Dictionary<UUID, OutgoingDelivery>.Index) {
        switch next {
        case .awaitsReply, .awaitsDelivery: outgoing.values[place] = next
        case .over: outgoing.remove(at: place)
        }
    }

    /// The messages whose reply is overdue; each is forgotten here, and its handler must be told.
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

    /// The connection is gone: no reply can come any more. All that was under way failed.
    package mutating func connectionLost() -> [UUID] {
        let lost = deadlines.filter(isOpen).map(\.identifier)
        outgoing.removeAll()
        deadlines.removeAll()
        incoming.removeAll()
        return lost
    }

    // MARK: - Incoming

    /// A message arrived: whether the delegate should see it. A repeat of one that is still being handled is not shown twice.
    package mutating func received(_ identifier: UUID) -> Bool {
        // What is in hand has this status as well: a repeat changes nothing.
        incoming.updateValue(.received, forKey: identifier) == nil
    }

    /// The delegate is done with a message: the answer goes out with this status.
    ///
    /// - Returns: False if the message's connection is gone, and the answer has nowhere to go.
    /// - Throws: ``IllegalTransition`` if it was answered before.
    package mutating func answering(_ identifier: UUID, with status: DeliveryStatus) throws(IllegalTransition) -> Bool {
        guard let place = incoming.index(forKey: identifier) else { return false }
        _ = try incoming.values[place].becoming(status)
        incoming.remove(at: place)
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
