import EventLog
import Foundation
import LinkProtocol

/// Incoming transfers: durable before the sender is answered, and kept until the delegate has received them.
extension DeviceEngine {
    /// The maximum number of transfers in the delegate's queue. 64 is enough for one commit to remove many.
    private static let window = 64

    struct Inbox: Sendable {
        struct Waiting: Sendable {
            let arrival: Arrival
            /// The bytes returned to the device's receive window once it is handled.
            let held: Int
        }

        /// An incoming transfer, in order of arrival.
        enum Incoming: Sendable {
            case taken(Waiting)
            /// This side did not accept it: no later transfer of its kind may be kept until the sender starts a new
            /// round.
            case left(TransferKind, from: UUID)

            /// Returns whether it is dropped with its connection: everything except a complete file.
            func goes(with device: UUID) -> Bool {
                switch self {
                case .taken(let item): item.arrival.device == device && item.arrival.transfer.path == nil
                case .left(_, let sender): sender == device
                }
            }
        }

        /// The result of a transfer's delivery to the delegate.
        struct Ending: Sendable {
            let transfer: ReceivedTransfer
            let delivery: Delivery
            /// The value of ``Inbox/openings`` when the transfer was handed over.
            let opening: Int
        }

        /// A delivered transfer that the store still has, and the note that is committed with its removal.
        struct Leftover: Equatable, Sendable {
            let position: Int64
            let note: LedgerNote
        }

        /// A removal in flight.
        struct Removal: Sendable {
            let ended: [Ending]
            let leftovers: [Leftover]
        }

        var gate = ArrivalGate()
        /// Arrivals that are not being stored yet.
        var waiting: [Incoming] = []
        /// Arrivals being stored: one commit at a time, so that those after a failed one can be put off.
        var storing: [Waiting] = []
        var isOpen = false
        var openings = 0
        /// The numbers of arrivals held back from the delegate, and their release times.
        var keptBack: [(count: Int, until: MonotonicTime)] = []
        /// Transfers in the delegate's queue, or delivered but not yet removed from the store, by position.
        var underWay: [Int64: ReceivedTransfer] = [:]
        /// Contexts in ``underWay`` that a newer one replaced: if the app discards one, it is over and not delivered
        /// again.
        var replaced: Set<IdentifierKey> = []
        /// The last context delivered from each counterpart. The store still has it if it could not be removed.
        var delivered: [IdentifierKey: UUID] = [:]
        /// The last position read from the store.
        var lastRead: Int64 = 0
        /// The position after which the store is being read.
        var reading: Int64?
        /// The store may contain more than the last read returned.
        var hasMore = false
        var ended: [Ending] = []
        /// Transfers being removed: one list for each removal in flight.
        var removing: [Removal] = []
        /// Delivered transfers that the store could not remove, and does not know as such. They are not read for the
        /// delegate again.
        var unremoved: [Leftover] = []

        /// Returns whether a transfer was delivered, but could not be removed so far.
        func isLeftOver(_ position: Int64) -> Bool {
            unremoved.contains { $0.position == position }
                || removing.contains { $0.leftovers.contains { $0.position == position } }
        }
    }

    // MARK: - In

    /// Records that this side does not accept a transfer now.
    mutating func leave(_ kind: TransferKind, from device: UUID, at moment: Moment) {
        // Queued, because earlier arrivals that open the gate may still be waiting.
        inbox.waiting.append(.left(kind, from: device))
        takeIn(at: moment)
    }

    /// Stores the waiting arrivals, unless a commit is in flight.
    mutating func takeIn(at moment: Moment) {
        guard inbox.storing.isEmpty, !inbox.waiting.isEmpty else { return }
        let waiting = inbox.waiting
        inbox.waiting.removeAll(keepingCapacity: true)
        for incoming in waiting {
            switch incoming {
            case .left(let kind, let device): inbox.gate.putOff(kind, from: device)
            case .taken(let item) where admits(item.arrival): inbox.storing.append(item)
            case .taken(let item): answer(item, .later("an earlier transfer could not be stored"), at: moment)
            }
        }
        if !inbox.storing.isEmpty { emit(.keep(inbox.storing.map(\.arrival))) }
    }

    private mutating func admits(_ arrival: Arrival) -> Bool {
        inbox.gate.admits(arrival.transfer.kind, from: arrival.device, startsRound: arrival.startsRound)
    }

    /// Handles the store's outcomes for the arrivals in flight.
    ///
    /// - Parameter span: The background time that the app gets before delivery; nil for the usual behaviour.
    package mutating func kept(_ outcomes: [ReceiveOutcome], keepingBack span: Duration? = nil, at moment: Moment) {
        let stored = inbox.storing
        inbox.storing = []
        var (hasStored, added) = (false, 0)
        for (item, outcome) in zip(stored, outcomes) {
            answer(item, outcome, at: moment)
            guard case .stored(let replaced) = outcome else { continue }
            hasStored = true
            // A context that replaced a waiting one does not change the count; one that the delegate already has ends
            // separately.
            guard let replaced else {
                added += 1
                continue
            }
            if isWithDelegate(replaced) {
                added += 1
                inbox.replaced.insert(replaced)
            } else if inbox.delivered[item.arrival.transfer.peer] == replaced {
                added += 1
            }
        }
        if hasStored {
            if let span {
                inbox.keptBack.append((added, moment.time + span))
                alarms.release = inbox.keptBack.map(\.until).min()
                wake(at: moment)
            } else {
                announce(added, at: moment)
            }
        }
        takeIn(at: moment)
    }

    private func isWithDelegate(_ transfer: UUID) -> Bool {
        inbox.underWay.values.contains { $0.identifier == transfer }
    }

    /// Handles a commit of arrivals that failed for now.
    package mutating func notKept(reason: String, at moment: Moment) {
        let stored = inbox.storing
        inbox.storing = []
        for item in stored { putOff(item, "the transfer could not be stored: \(reason)", at: moment) }
        takeIn(at: moment)
    }

    /// Releases the arrivals that a fault held back from the delegate.
    mutating func releaseKeptBack(at moment: Moment) {
        let due = inbox.keptBack.filter { $0.until <= moment.time }
        inbox.keptBack.removeAll { $0.until <= moment.time }
        alarms.release = inbox.keptBack.map(\.until).min()
        for (count, _) in due { announce(count, at: moment) }
    }

    /// Announces new transfers for the delegate.
    private mutating func announce(_ added: Int, at moment: Moment) {
        emit(.arrived(added, isOpen: inbox.isOpen))
        wake(at: moment)
        pump()
    }

    private mutating func wake(at moment: Moment) { perform(session.arrived(.transfer), at: moment) }

    private mutating func answer(_ item: Inbox.Waiting, _ outcome: ReceiveOutcome, at moment: Moment) {
        let (arrival, transfer) = (item.arrival, item.arrival.transfer)
        var fields: [LogField] {
            [.package(transfer.identifier), .kind(transfer.kind.rawValue), .device(arrival.device)]
        }
        switch outcome {
        case .stored(let replaced):
            log(.transferReceived, fields + [.bytes(arrival.bytes)])
            if let replaced { log(.contextCoalesced, [.package(replaced), .related(transfer.identifier)]) }
            answer(item, .arrived, at: moment)
        case .repeated:
            log(.transferRepeated, fields)
            answer(item, .arrived, at: moment)
        case .full(let capacity):
            let reason = "\(capacity) transfers are already waiting for the delegate"
            log(.transferPutOff, fields + [.reason(reason)])
            putOff(item, reason, at: moment)
        }
    }

    private mutating func putOff(_ item: Inbox.Waiting, _ reason: String, at moment: Moment) {
        inbox.gate.putOff(item.arrival.transfer.kind, from: item.arrival.device)
        answer(item, .later(reason), at: moment)
    }

    private mutating func answer(_ item: Inbox.Waiting, _ answer: TransferAnswer, at moment: Moment) {
        let (arrival, transfer) = (item.arrival, item.arrival.transfer)
        if let path = transfer.path {
            files.finishing[FileKey(device: arrival.device, transfer: transfer.identifier)] = nil
            if answer != .arrived { emit(.removeFile(path: path)) }
        }
        self.answer(transfer.identifier, transfer.kind.command, arrival.device, answer, at: moment)
        handled(arrival.device, bytes: item.held, at: moment)
    }

    /// Sends a transfer's outcome to its sender.
    mutating func answer(
        _ transfer: UUID, _ command: Command, _ device: UUID, _ answer: TransferAnswer, at moment: Moment
    ) {
        let (reason, code): (String?, SessionErrorCode?) =
            switch answer {
            case .arrived: (nil, nil)
            case .refused(let code, let reason): (reason, code)
            case .later(let reason): (reason, nil)
            }
        let package = MessagePackage(
            identifier: identifier(), command: command, status: reason == nil ? .replied : .failed,
            errorMessage: reason, errorCode: code?.rawValue, answers: transfer, timestamp: moment.date)
        write(package, to: device, at: moment)
    }

    // MARK: - To the delegate

    mutating func open(at moment: Moment) {
        inbox.isOpen = true
        inbox.openings += 1
        pump()
    }

    /// Stops delivering to the delegate.
    package mutating func close() { inbox.isOpen = false }

    mutating func pump() {
        guard inbox.isOpen, inbox.keptBack.isEmpty, inbox.underWay.count < Self.window else { return }
        guard inbox.reading == nil else {
            inbox.hasMore = true
            return
        }
        inbox.reading = inbox.lastRead
        inbox.hasMore = false
        emit(.readInbox(after: inbox.lastRead, limit: Self.window - inbox.underWay.count))
    }

    /// Handles transfers that the store has for the delegate.
    package mutating func inboxRead(_ transfers: [ReceivedTransfer]) {
        let position = inbox.reading
        inbox.reading = nil
        // Closed or held back in the meantime: they are read again afterwards.
        guard inbox.isOpen, inbox.keptBack.isEmpty else { return }
        // Transfers that the app discarded in the meantime precede these, and are read with them.
        guard position == inbox.lastRead else { return pump() }
        for transfer in transfers {
            guard !inbox.isLeftOver(transfer.position) else {
                inbox.lastRead = max(inbox.lastRead, transfer.position)
                inbox.hasMore = true
                continue
            }
            guard inbox.underWay.updateValue(transfer, forKey: transfer.position) == nil else { continue }
            inbox.lastRead = max(inbox.lastRead, transfer.position)
            emit(.give(transfer, opening: inbox.openings))
        }
        if inbox.hasMore { pump() }
    }

    /// Handles a failed read of the inbox.
    package mutating func inboxUnread(at moment: Moment) {
        inbox.reading = nil
        alarms.reading = moment.time + Self.databaseRetry
    }

    /// Handles the result of a transfer's delivery.
    package mutating func given(_ position: Int64, _ delivery: Delivery, opening: Int, at moment: Moment) {
        guard let transfer = inbox.underWay[position] else { return }
        inbox.ended.append(Inbox.Ending(transfer: transfer, delivery: delivery, opening: opening))
        if alarms.removing == nil { alarms.removing = moment.time + Self.endDelay }
    }

    /// Removes the transfers delivered since the last removal, and those that an earlier one could not remove.
    mutating func removeDelivered(at moment: Moment) {
        let (ended, former) = (inbox.ended, inbox.unremoved)
        guard !ended.isEmpty || !former.isEmpty else { return }
        inbox.ended.removeAll(keepingCapacity: true)
        inbox.unremoved.removeAll()
        var leftovers = former
        for ending in ended where ending.delivery != .discarded {
            let reason: String? = if case .failed(let reason) = ending.delivery { reason } else { nil }
            let note = LedgerNote(
                ending.transfer.identifier, .incoming, ending.transfer.kind, device: ending.transfer.peer.known,
                reason == nil ? .delivered : .failed, at: moment.date, cause: reason)
            leftovers.append(Inbox.Leftover(position: ending.transfer.position, note: note))
        }
        inbox.removing.append(Inbox.Removal(ended: ended, leftovers: leftovers))
        emit(.remove(leftovers.map(\.position), leftovers.map(\.note)))
    }

    /// Handles a removal that the store refused: it is repeated until it succeeds. After a restart before that, the
    /// transfers are delivered again: at-least-once still holds.
    package mutating func notRemoved(at moment: Moment) {
        guard let removal = inbox.removing.first else { return }
        inbox.unremoved += removal.leftovers
        if !inbox.unremoved.isEmpty { alarms.removing.bringForward(to: moment.time + Self.databaseRetry) }
        removed(at: moment)
    }

    /// Handles the end of a removal.
    package mutating func removed(at moment: Moment) {
        guard !inbox.removing.isEmpty else { return }
        let ended = inbox.removing.removeFirst().ended
        var over = 0
        for ending in ended {
            let wasReplaced = inbox.replaced.remove(ending.transfer.identifier)
            if ending.delivery != .discarded || wasReplaced { over += 1 }
            if ending.delivery != .discarded, ending.transfer.kind == .context {
                inbox.delivered[ending.transfer.peer] = ending.transfer.identifier
            }
            inbox.underWay[ending.transfer.position] = nil
            var fields: [LogField] { [.package(ending.transfer.identifier), .kind(ending.transfer.kind.rawValue)] }
            switch ending.delivery {
            case .delivered: log(.transferDelivered, fields)
            case .failed(let reason): log(.transferFailed, fields + [.reason(reason)])
            case .discarded: inbox.lastRead = min(inbox.lastRead, ending.transfer.position - 1)
            }
        }
        if over > 0 { emit(.settled(over)) }
        // A discarded transfer means that there is no receiver; an inbox that was opened since may have one.
        if ended.contains(where: { $0.delivery == .discarded && $0.opening == inbox.openings }) { inbox.isOpen = false }
        pump()
    }

    // MARK: - Shutdown

    /// Emits the effects that must be durable before the process ends.
    package mutating func finish(at moment: Moment) {
        removeDelivered(at: moment)
        settleEndings(at: moment)
        forgetTold(at: moment)
        recordCompanions()
    }
}
