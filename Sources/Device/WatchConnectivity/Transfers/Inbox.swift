import CrashPoints
import EventLog
import Files
import Foundation
import LinkProtocol
import Locking
import SessionStorage
import Storage

/// The transfers that arrived: durable before their sender may forget them, kept until the delegate has had them.
// Proof of `@unchecked Sendable`: all mutable state is used on `queue` alone, except for what a mutex guards.
final class Inbox: @unchecked Sendable {
    /// Transfers that are with the delegate's queue at once. 64: enough for one commit to remove many.
    private static let window = 64

    /// How long what the delegate has had waits for others to be written down with it. 2 ms: a commit for each would take the
    /// disk from what arrives.
    private static let endDelay: DispatchTimeInterval = .milliseconds(2)

    private struct Arrival: Sendable {
        let transfer: ReceivedTransfer
        let bytes: Int
        let device: UUID
        let startsRound: Bool
        let answer: @Sendable (TransferAnswer) -> Void
    }

    private struct Ending: Sendable {
        let transfer: ReceivedTransfer
        let delivery: Delivery
        /// How often the inbox had been opened when it was given.
        let openings: Int
    }

    private let store: SessionStore
    private let queue: DispatchQueue
    private let ledger: LedgerBook
    private let logger: Logger
    private let objects: TransferObjects
    private let deliver: @Sendable (ReceivedTransfer, @escaping @Sendable (Delivery) -> Void) -> Void
    private let onPending: @Sendable (Bool) -> Void
    private let onArrival: @Sendable () -> Void
    private let arrivals = Batch<Arrival>()
    private let ended = Batch<Ending>()
    private let undelivered = Mutex(0)
    private let content = Mutex(PendingContent())
    private let isAppReady: @Sendable () -> Bool
    private let earlyTaskSpan: @Sendable () -> Duration?
    private let onDelivered: @Sendable () -> Void

    private var gate = ArrivalGate()
    private var isOpen = false
    private var openings = 0
    /// Arrivals that the delegate is not given yet, on demand.
    private var keptBack = 0
    /// What the delegate's queue has.
    private var underWay: Set<Int64> = []
    /// Up to where the store was read.
    private var lastRead: Int64 = 0

    /// How giving a transfer to the delegate ended.
    enum Delivery: Equatable, Sendable {
        case delivered
        /// For good.
        case failed(String)
        /// The app ended before its turn: it is given again.
        case discarded
    }

    /// - Parameters:
    ///   - queue: Where the store is used.
    ///   - deliver: Gives a transfer to the delegate; calls back when its method has returned.
    ///   - isAppReady: Whether the app's code runs, and has a delegate.
    ///   - earlyTaskSpan: How long the app is to have its background time before it is given what came for it; nil for as usual.
    ///   - onPending: Called with whether there is content that could not be given when it came, when that changes.
    ///   - onDelivered: Called when the delegate has had everything, and that is written down.
    ///   - onArrival: Called when something has arrived, before it is delivered.
    init(
        store: SessionStore, queue: DispatchQueue, ledger: LedgerBook, logger: Logger, objects: TransferObjects,
        deliver: @escaping @Sendable (ReceivedTransfer, @escaping @Sendable (Delivery) -> Void) -> Void,
        isAppReady: @escaping @Sendable () -> Bool, earlyTaskSpan: @escaping @Sendable () -> Duration?,
        onPending: @escaping @Sendable (Bool) -> Void,
        onDelivered: @escaping @Sendable () -> Void, onArrival: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.queue = queue
        self.ledger = ledger
        self.logger = logger
        self.objects = objects
        self.deliver = deliver
        self.isAppReady = isAppReady
        self.earlyTaskSpan = earlyTaskSpan
        self.onPending = onPending
        self.onDelivered = onDelivered
        self.onArrival = onArrival
    }

    /// Transfers that the delegate has not had.
    var count: Int { undelivered.withLock { $0 } }

    /// Whether there is something that came while the app could not be given it, and still has to be.
    var hasContentPending: Bool { content.withLock { $0.pendingCount > 0 } }

    /// From the delegate queue: the delegate's method is about to be called with the next transfer.
    func began() { changeContent { $0.began() } }

    /// Takes up what earlier runs left. On the queue.
    ///
    /// - Returns: The files among it, by the directories that they lie in.
    func load() throws(DatabaseError) -> Set<String> {
        let count = try store.inboxCount()
        undelivered.withLock { $0 = count }
        content.withLock { $0.received(count, isDeliverable: false) }
        return Set(try store.inboxPaths().map { DurableDirectory(of: $0).path })
    }

    /// The delegate may be given what there is; or not any more.
    func setOpen(_ isOpen: Bool) {
        queue.async { [self] in
            self.isOpen = isOpen
            if isOpen { openings += 1 }
            pump()
        }
    }

    /// From any thread: a transfer arrived. `answer` is called when it is durable, or with why it is not.
    ///
    /// - Parameter startsRound: Whether its sender begins anew with it.
    func arrived(
        _ transfer: ReceivedTransfer, bytes: Int, from device: UUID, startsRound: Bool,
        answer: @escaping @Sendable (TransferAnswer) -> Void
    ) {
        let arrival = Arrival(
            transfer: transfer, bytes: bytes, device: device, startsRound: startsRound, answer: answer)
        if arrivals.add(arrival) { queue.async { self.takeIn() } }
    }

    /// From any thread: a device's connection is gone.
    func disconnected(_ device: UUID) { queue.async { [self] in gate.disconnected(device) } }

    /// Writes down what the delegate has had. On the queue.
    func finish() { settle() }

    // MARK: - On the queue

    private func takeIn() {
        let batch = arrivals.take().filter { arrival in
            let isAdmitted = gate.admits(
                arrival.transfer.kind, from: arrival.device, startsRound: arrival.startsRound)
            if !isAdmitted { arrival.answer(.later("one that was sent before it could not be kept")) }
            return isAdmitted
        }
        guard !batch.isEmpty else { return }
        let outcomes: [ReceiveOutcome]
        do {
            outcomes = try ledger.committing { notes throws(DatabaseError) in
                try store.receive(batch.map(\.transfer)) { outcomes in
                    notes(zip(batch, outcomes).flatMap { Self.notes($0, $1) })
                }
            }
            CrashPoint.transferKept.pass()
        } catch {
            for arrival in batch { putOff(arrival, "it could not be kept: \(error)") }
            return
        }
        var (hasStored, newTransfers) = (false, 0)
        for (arrival, outcome) in zip(batch, outcomes) {
            answer(arrival, outcome)
            guard case .stored(let replaced) = outcome else { continue }
            hasStored = true
            // A context that took another's place leaves as many as before.
            if replaced == nil { newTransfers += 1 }
        }
        guard hasStored else { return }
        let added = newTransfers
        guard let span = earlyTaskSpan() else { return announce(added) }
        keptBack += 1
        onArrival()
        queue.asyncAfter(deadline: .now() + span.inSeconds) { [weak self] in
            guard let self else { return }
            keptBack -= 1
            announce(added)
        }
    }

    /// There is more for the delegate than before.
    private func announce(_ added: Int) {
        undelivered.withLock { $0 += added }
        let isDeliverable = isOpen && isAppReady()
        changeContent { $0.received(added, isDeliverable: isDeliverable) }
        onArrival()
        pump()
    }

    /// What the ledger is told of an arrival.
    private static func notes(_ arrival: Arrival, _ outcome: ReceiveOutcome) -> [LedgerBook.Note] {
        let transfer = arrival.transfer
        func note(_ cause: String? = nil, related: UUID? = nil) -> LedgerBook.Note {
            LedgerBook.Note(
                transfer.identifier, .incoming, transfer.kind, device: arrival.device, bytes: arrival.bytes, .received,
                cause: cause, related: related)
        }
        switch outcome {
        case .stored(let replaced):
            guard let replaced else { return [note()] }
            let coalesced = LedgerBook.Note(
                replaced, .incoming, .context, device: arrival.device, .coalesced,
                cause: "a newer context took its place", related: transfer.identifier)
            return [note(), coalesced]
        case .repeated: return [note("a repeat of what had arrived before", related: transfer.identifier)]
        case .full: return []
        }
    }

    private func answer(_ arrival: Arrival, _ outcome: ReceiveOutcome) {
        let transfer = arrival.transfer
        let fields: [LogField] = [
            .package(transfer.identifier), .kind(transfer.kind.rawValue), .device(arrival.device),
        ]
        switch outcome {
        case .stored(let replaced):
            logger.log(.transferReceived, fields + [.bytes(arrival.bytes)])
            if transfer.kind == .context, let payload = transfer.payload {
                objects.setReceivedContext(payload, transfer.peer)
            }
            if let replaced { logger.log(.contextCoalesced, [.package(replaced), .related(transfer.identifier)]) }
            arrival.answer(.arrived)
        case .repeated:
            logger.log(.transferRepeated, fields)
            arrival.answer(.arrived)
        case .full:
            let reason = "\(SessionStore.inboxCapacity) transfers wait for the delegate already"
            logger.log(.transferFailed, fields + [.reason(reason)])
            putOff(arrival, reason)
        }
    }

    private func putOff(_ arrival: Arrival, _ reason: String) {
        gate.putOff(arrival.transfer.kind, from: arrival.device)
        arrival.answer(.later(reason))
    }

    private func pump() {
        guard isOpen, keptBack == 0, underWay.count < Self.window else { return }
        do {
            for transfer in try store.inbox(after: lastRead, limit: Self.window - underWay.count)
            where underWay.insert(transfer.position).inserted {
                lastRead = transfer.position
                deliver(transfer) { [weak self, openings] delivery in
                    guard let self else { return }
                    if ended.add(Ending(transfer: transfer, delivery: delivery, openings: openings)) {
                        queue.asyncAfter(deadline: .now() + Self.endDelay) { self.settle() }
                    }
                }
            }
        } catch {
            // The database has logged why; they are read with the next that comes.
        }
    }

    private func settle() {
        let batch = ended.take()
        guard !batch.isEmpty else { return }
        let over = batch.filter { $0.delivery != .discarded }
        do {
            try ledger.committing { notes throws(DatabaseError) in
                try store.delivered(over.map(\.transfer.position)) { notes(over.compactMap(Self.end)) }
            }
        } catch {
            // The database has logged why. They stay there, and would be given again after a restart: at least once is kept.
        }
        for ending in batch {
            underWay.remove(ending.transfer.position)
            finish(ending.transfer, ending.delivery)
        }
        let isEmpty = undelivered.withLock { count in
            count = max(0, count - over.count)
            return count == 0
        }
        if isEmpty, !over.isEmpty { onDelivered() }
        // Who discards has nobody to give to; what opens the inbox again says that there is somebody, and may have done so.
        if batch.contains(where: { $0.delivery == .discarded && $0.openings == openings }) { isOpen = false }
        pump()
    }

    /// How the delegate had a transfer, for the ledger.
    private static func end(_ ending: Ending) -> LedgerBook.Note? {
        let transfer = ending.transfer
        return switch ending.delivery {
        case .delivered:
            LedgerBook.Note(transfer.identifier, .incoming, transfer.kind, device: transfer.peer.known, .delivered)
        case .failed(let reason):
            LedgerBook.Note(
                transfer.identifier, .incoming, transfer.kind, device: transfer.peer.known, .failed, cause: reason)
        case .discarded: nil
        }
    }

    private func finish(_ transfer: ReceivedTransfer, _ delivery: Delivery) {
        let fields: [LogField] = [.package(transfer.identifier), .kind(transfer.kind.rawValue)]
        switch delivery {
        case .delivered:
            logger.log(.transferDelivered, fields)
        case .failed(let reason):
            logger.log(.transferFailed, fields + [.reason(reason)])
        case .discarded: lastRead = min(lastRead, transfer.position - 1)
        }
    }

    private func changeContent(_ change: (inout PendingContent) -> Void) {
        let (former, present) = content.withLock { content in
            let former = content.pendingCount
            change(&content)
            return (former, content.pendingCount)
        }
        if (former > 0) != (present > 0) { onPending(present > 0) }
    }
}
