import EventLog
import Foundation
import LinkProtocol

/// The transfers that arrived: durable before their sender may forget them, kept until the delegate has had them.
extension DeviceEngine {
    /// Transfers that are with the delegate's queue at once. 64: enough for one commit to remove many.
    private static let window = 64

    struct Inbox: Sendable {
        struct Waiting: Sendable {
            let arrival: Arrival
            /// Bytes that its device may send more of once it is dealt with.
            let held: Int
        }

        /// A device's transfer, in the order in which they came.
        enum Incoming: Sendable {
            case taken(Waiting)
            /// This side did not take it: nothing behind it may be kept before its sender begins anew.
            case left(TransferKind, from: UUID)

            /// Everything but a whole file, which is not thrown away, goes with its connection.
            func goes(with device: UUID) -> Bool {
                switch self {
                case .taken(let item): item.arrival.device == device && item.arrival.transfer.path == nil
                case .left(_, let sender): sender == device
                }
            }
        }

        /// The end of a transfer's turn with the delegate.
        struct Ending: Sendable {
            let transfer: ReceivedTransfer
            let delivery: Delivery
            /// How often the inbox had been opened when it was given.
            let opening: Int
        }

        var gate = ArrivalGate()
        /// Arrivals that are not on their way into the store.
        var waiting: [Incoming] = []
        /// Arrivals on their way into the store: one commit at a time, so that those behind one that fails are put off.
        var storing: [Waiting] = []
        var isOpen = false
        var openings = 0
        /// How many arrivals are kept back from the delegate, and until when.
        var keptBack: [(count: Int, until: MonotonicTime)] = []
        /// Transfers that the delegate's queue has, or has had and the store still holds, by position.
        var underWay: [Int64: ReceivedTransfer] = [:]
        /// Contexts among them whose place a newer one took: one that the app leaves behind is over, and is not given again.
        var replaced: Set<UUID> = []
        /// Up to where the store was read.
        var lastRead: Int64 = 0
        /// The position behind which the store is being read.
        var reading: Int64?
        /// The store may hold more than was read last.
        var hasMore = false
        var ended: [Ending] = []
        /// Transfers that are being removed, a list for each removal under way.
        var removing: [[Ending]] = []
    }

    // MARK: - In

    /// This side does not take a transfer now.
    mutating func leave(_ kind: TransferKind, from device: UUID, at moment: Moment) {
        // In its turn: what came before it, and opens the gate, may still wait to be looked at.
        inbox.waiting.append(.left(kind, from: device))
        takeIn(at: moment)
    }

    /// Keeps what waits, unless something is being kept already.
    mutating func takeIn(at moment: Moment) {
        guard inbox.storing.isEmpty, !inbox.waiting.isEmpty else { return }
        let waiting = inbox.waiting
        inbox.waiting.removeAll(keepingCapacity: true)
        for incoming in waiting {
            switch incoming {
            case .left(let kind, let device): inbox.gate.putOff(kind, from: device)
            case .taken(let item) where admits(item.arrival): inbox.storing.append(item)
            case .taken(let item): answer(item, .later("one that was sent before it could not be kept"), at: moment)
            }
        }
        if !inbox.storing.isEmpty { emit(.keep(inbox.storing.map(\.arrival))) }
    }

    private mutating func admits(_ arrival: Arrival) -> Bool {
        inbox.gate.admits(arrival.transfer.kind, from: arrival.device, startsRound: arrival.startsRound)
    }

    /// The arrivals were kept, or told apart from what is kept already.
    ///
    /// - Parameter span: How long the app is to have its background time before it is given what came; nil for as usual.
    package mutating func kept(_ outcomes: [ReceiveOutcome], keepingBack span: Duration? = nil, at moment: Moment) {
        let stored = inbox.storing
        inbox.storing = []
        var (hasStored, added) = (false, 0)
        for (item, outcome) in zip(stored, outcomes) {
            answer(item, outcome, at: moment)
            guard case .stored(let replaced) = outcome else { continue }
            hasStored = true
            // A context that took another's place leaves as many as before; one that the delegate has ends by itself.
            guard let replaced else {
                added += 1
                continue
            }
            if isWithDelegate(replaced) {
                added += 1
                inbox.replaced.insert(replaced)
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

    /// The arrivals could not be kept now.
    package mutating func notKept(reason: String, at moment: Moment) {
        let stored = inbox.storing
        inbox.storing = []
        for item in stored { putOff(item, "it could not be kept: \(reason)", at: moment) }
        takeIn(at: moment)
    }

    /// Arrivals that a fault kept back are the delegate's now.
    mutating func releaseKeptBack(at moment: Moment) {
        let due = inbox.keptBack.filter { $0.until <= moment.time }
        inbox.keptBack.removeAll { $0.until <= moment.time }
        alarms.release = inbox.keptBack.map(\.until).min()
        for (count, _) in due { announce(count, at: moment) }
    }

    /// There is more for the delegate than before.
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
            let reason = "\(capacity) transfers wait for the delegate already"
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

    /// Tells a transfer's sender what became of it.
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

    /// The delegate is given nothing more.
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

    /// The store has these for the delegate.
    package mutating func inboxRead(_ transfers: [ReceivedTransfer]) {
        let position = inbox.reading
        inbox.reading = nil
        // Closed, or kept back, meanwhile: they are read again when that is over.
        guard inbox.isOpen, inbox.keptBack.isEmpty else { return }
        // What the app left behind meanwhile goes before these, and is read with them.
        guard position == inbox.lastRead else { return pump() }
        for transfer in transfers where inbox.underWay.updateValue(transfer, forKey: transfer.position) == nil {
            inbox.lastRead = max(inbox.lastRead, transfer.position)
            emit(.give(transfer, opening: inbox.openings))
        }
        if inbox.hasMore { pump() }
    }

    /// The store could not be read.
    package mutating func inboxUnread(at moment: Moment) {
        inbox.reading = nil
        alarms.reading = moment.time + Self.databaseRetry
    }

    /// A transfer's turn with the delegate is over.
    package mutating func given(_ position: Int64, _ delivery: Delivery, opening: Int, at moment: Moment) {
        guard let transfer = inbox.underWay[position] else { return }
        inbox.ended.append(Inbox.Ending(transfer: transfer, delivery: delivery, opening: opening))
        if alarms.removing == nil { alarms.removing = moment.time + Self.endDelay }
    }

    /// Removes what the delegate has had since the last time.
    mutating func removeDelivered(at moment: Moment) {
        let ended = inbox.ended
        guard !ended.isEmpty else { return }
        inbox.ended.removeAll(keepingCapacity: true)
        inbox.removing.append(ended)
        let over = ended.filter { $0.delivery != .discarded }
        let notes = over.map { ending in
            let reason: String? = if case .failed(let reason) = ending.delivery { reason } else { nil }
            return LedgerNote(
                ending.transfer.identifier, .incoming, ending.transfer.kind, device: ending.transfer.peer.known,
                reason == nil ? .delivered : .failed, at: moment.date, cause: reason)
        }
        emit(.remove(over.map(\.transfer.position), notes))
    }

    /// The store has removed what the delegate had; or it could not, and a restart gives it again: at least once is kept.
    package mutating func removed(at moment: Moment) {
        guard !inbox.removing.isEmpty else { return }
        let ended = inbox.removing.removeFirst()
        var over = 0
        for ending in ended {
            let wasReplaced = inbox.replaced.remove(ending.transfer.identifier) != nil
            if ending.delivery != .discarded || wasReplaced { over += 1 }
            inbox.underWay[ending.transfer.position] = nil
            var fields: [LogField] { [.package(ending.transfer.identifier), .kind(ending.transfer.kind.rawValue)] }
            switch ending.delivery {
            case .delivered: log(.transferDelivered, fields)
            case .failed(let reason): log(.transferFailed, fields + [.reason(reason)])
            case .discarded: inbox.lastRead = min(inbox.lastRead, ending.transfer.position - 1)
            }
        }
        if over > 0 { emit(.settled(over)) }
        // Who discards has nobody to give to; what opens the inbox again says that there is somebody, and may have done so.
        if ended.contains(where: { $0.delivery == .discarded && $0.opening == inbox.openings }) { inbox.isOpen = false }
        pump()
    }

    // MARK: - The end

    /// Says what must still be written down, before the process ends.
    package mutating func finish(at moment: Moment) {
        removeDelivered(at: moment)
        settleEndings(at: moment)
        forgetTold(at: moment)
        recordCompanions()
    }
}
