import CrashPoints
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import SessionStorage
import Storage

/// The transfers on their way out: durable before the application is told, sent when the counterpart takes them, told to the
/// delegate when they are over. Carries out a ``TransferStateMachine``.
// Proof of `@unchecked Sendable`: all mutable state is used on `queue` alone, except for what a mutex guards.
final class TransferCenter: @unchecked Sendable {
    typealias Ending = TransferStateMachine.Ending

    /// How long an end waits for others to be written down with it. 2 ms: a commit for each would take the disk from what is
    /// being queued.
    private static let endDelay: DispatchTimeInterval = .milliseconds(2)
    /// How long after the database failed it is tried again.
    private static let databaseRetry: DispatchTimeInterval = .seconds(1)

    let objects: TransferObjects
    private let store: SessionStore
    private let queue: DispatchQueue
    private let ledger: LedgerBook
    private let logger: Logger
    private let send: PackageSender
    private let tellEnd: @Sendable (TransferObject, WCError?, @escaping @Sendable (Bool) -> Void) -> Void
    private let endings = Batch<Ending>()
    private let told = Batch<UUID>()

    private var machine: TransferStateMachine
    /// Of each device, as the link counts them.
    private var epochs: [UUID: UInt64] = [:]
    /// Ends that the delegate is about to be told.
    private var telling: Set<UUID> = []
    private var timer: (source: any DispatchSourceTimer, time: MonotonicTime)?
    private var sender: FileSender?

    /// - Parameters:
    ///   - queue: Where the store is used.
    ///   - send: Hands a package to the link; calls back if it could not be sent.
    ///   - tellEnd: Tells the delegate how a transfer ended; calls back with whether it was told.
    ///   - onChange: Called when something that an application may observe has another value.
    init(
        store: SessionStore, queue: DispatchQueue, ledger: LedgerBook, configuration: DeviceConfiguration,
        send: @escaping PackageSender,
        tellEnd: @escaping @Sendable (TransferObject, WCError?, @escaping @Sendable (Bool) -> Void) -> Void,
        onChange: @escaping @Sendable (TransferObjects.Property) -> Void
    ) {
        objects = TransferObjects(onChange: onChange)
        self.store = store
        self.queue = queue
        self.ledger = ledger
        logger = configuration.logger
        machine = TransferStateMachine(backoff: configuration.transferRetry, times: configuration.times)
        self.send = send
        self.tellEnd = tellEnd
    }

    /// Takes up what earlier runs left. On the queue, before the link is up.
    func load(_ sender: FileSender) throws {
        self.sender = sender
        objects.load(contexts: try store.contexts())
        for transfer in try store.outgoing() {
            do {
                objects.add(
                    try TransferObject(transfer) { [weak self] in self?.cancel($0) }, peer: transfer.peer,
                    position: transfer.position)
                if transfer.ending == nil { machine.load(transfer.identifier, transfer.item) }
            } catch {
                // What the database has of it is damaged: it can neither be sent nor be told of.
                logger.log(.transferFailed, [.package(transfer.identifier), .error(error)])
                try store.forget([transfer.identifier])
            }
        }
    }

    // MARK: - From the application

    /// Keeps a transfer, and sends it as soon as that is possible. When this returns without an error it is durable.
    ///
    /// - Parameter failure: How it ends, on demand, without being sent.
    func queue(
        _ transfer: OutgoingTransfer, _ object: TransferObject?, failing failure: WCError?
    ) throws(DatabaseError) {
        try queue.sync { Result { () throws(DatabaseError) in try keep(transfer, object, failure) } }.get()
    }

    private func keep(
        _ transfer: OutgoingTransfer, _ object: TransferObject?, _ failure: WCError?
    ) throws(DatabaseError) {
        var transfer = transfer
        let bytes = transfer.payload?.count ?? 0
        let note = LedgerBook.Note(
            transfer.identifier, .outgoing, transfer.kind, device: transfer.peer.known,
            bytes: Int(transfer.file?.size ?? Int64(bytes)), .queued)
        let (position, replaced) = try ledger.committing { [transfer] batch throws(DatabaseError) in
            try store.queue(transfer) { replaced in
                batch((replaced.map { [Self.replacement(of: $0, by: transfer)] } ?? []) + [note])
            }
        }
        CrashPoint.transferQueued.pass()
        transfer.position = position
        if let object { objects.add(object, peer: transfer.peer, position: position) }
        if transfer.kind == .context { objects.setSentContext(transfer.payload, transfer.peer) }
        logger.log(
            .transferQueued, [.package(transfer.identifier), .kind(transfer.kind.rawValue), .bytes(bytes)])
        if let failure {
            let outcome = OutboxStateMachine.Outcome.refused(reason: failure.reason)
            let ending = Ending(identifier: transfer.identifier, outcome: outcome, code: failure.errorCode)
            return perform(machine.queued(transfer.item, ending: ending, at: .now))
        }
        perform(
            machine.queued(transfer.identifier, transfer.item, replacing: replaced, at: .now, jitter: Self.jitter))
    }

    private static func replacement(of former: UUID, by transfer: OutgoingTransfer) -> LedgerBook.Note {
        LedgerBook.Note(
            former, .outgoing, .context, device: transfer.peer.known, .coalesced,
            cause: "a newer context took its place", related: transfer.identifier)
    }

    /// Takes a transfer back, if it is not over.
    func cancel(_ identifier: UUID) {
        queue.sync {
            guard let (item, actions) = machine.cancelled(identifier, at: .now, jitter: Self.jitter) else { return }
            let note = LedgerBook.Note(
                identifier, .outgoing, item.kind, device: item.peer.known, .failed, cause: "cancelled")
            forget([identifier], [note])
            objects.remove(identifier)
            logger.log(.transferCancelled, [.package(identifier), .kind(item.kind.rawValue)])
            perform(actions)
        }
    }

    // MARK: - From the link

    /// A counterpart's device takes transfers from now on, or does not any more.
    func availabilityChanged(_ isAvailable: Bool, of device: UUID, in epoch: UInt64, for peer: UUID) {
        queue.async { [self] in
            epochs[device] = epoch
            perform(machine.availabilityChanged(isAvailable, of: device, for: peer, at: .now))
        }
    }

    /// What was queued for whichever watch comes first is for this one.
    func adopt(_ peer: UUID) {
        queue.async { [self] in
            do {
                try store.adopt(peer, from: .unknownPeer)
            } catch {
                // The database has logged why: what waits stays with the unknown watch until the next one comes.
                return
            }
            objects.adopt(peer)
            perform(machine.adopted(by: peer, at: .now))
        }
    }

    /// Nothing that waits for a counterpart can arrive any more.
    func giveUp(_ peer: UUID, _ error: WCError) {
        queue.async { [self] in
            objects.setSentContext(nil, peer)
            do {
                try store.forgetContexts(of: peer)
            } catch {
                // The database has logged why; an old context is given to nobody, as its watch is gone.
            }
            perform(
                machine.gaveUp(peer, reason: error.reason, code: error.errorCode, at: .now, jitter: Self.jitter))
        }
    }

    /// The receiver of a file has more of it.
    func progressed(_ transfer: UUID) { queue.async { [self] in machine.progressed(transfer, at: .now) } }

    /// What waits to be sent to a counterpart is not lost.
    func delivering(to peer: UUID) { queue.async { [self] in machine.delivering(to: peer, at: .now) } }

    /// From any thread: a try is over. What comes together is recorded together.
    func ended(_ ending: Ending) {
        if endings.add(ending) { queue.asyncAfter(deadline: .now() + Self.endDelay) { self.settle() } }
    }

    /// Tells the delegate the ends that it does not know.
    func tellEnds() {
        queue.async { [self] in
            do {
                for transfer in try store.ended() { tell(transfer) }
            } catch {
                // The database has logged why; they are told after the next activation.
            }
        }
    }

    /// Writes down the ends that are known, and those that the delegate was told. On the queue.
    func finish() {
        settle()
        forgetTold()
    }

    /// Transfers that are not over.
    var pendingCount: Int { queue.sync { machine.pendingCount } }

    // MARK: - On the queue

    private static var jitter: Double { Double.random(in: 0..<1) }

    private func perform(_ actions: [TransferStateMachine.Action]) {
        for action in actions { perform(action) }
        // Only the end of a try makes the next deadline an earlier one; to look for it takes a look at every counterpart.
        if timer == nil || actions.contains(where: { if case .stop = $0 { true } else { false } }) { rearm() }
    }

    private func perform(_ action: TransferStateMachine.Action) {
        switch action {
        case .transmit(let entry, _, let device): transmit(entry, to: device)
        case .stop(let transfer): sender?.stop(transfer)
        case .withdraw(let transfer, let device): sender?.cancel(transfer, to: device)
        case .record(let endings): record(endings)
        case .finished(let ending, let item): finish(ending, item)
        case .retry(let entry, let item, let reason):
            logger.log(
                .transferRetryScheduled,
                [.package(entry.identifier), .kind(item.kind.rawValue), .attempt(entry.attempts), .reason(reason)])
            ledger.note(entry.identifier, .outgoing, item.kind, device: item.peer.known, .queued, cause: reason)
        case .interrupted(let entry, let item, let device):
            logger.log(.transferInterrupted, [.package(entry.identifier), .kind(item.kind.rawValue)])
            ledger.note(
                entry.identifier, .outgoing, item.kind, device: device, .queued,
                cause: "the counterpart went away before it had answered")
        case .coalesced(let former, _, let newer):
            logger.log(.contextCoalesced, [.package(former), .related(newer)])
        case .calm(let former): calm(former)
        }
    }

    private func calm(_ former: UUID) {
        do {
            try store.calm(former)
        } catch {
            // The database has logged why; after a restart it would count as a complication's again.
        }
        objects.calm(former)
    }

    private func transmit(_ entry: TransferQueues.Entry, to device: UUID) {
        let transfer: OutgoingTransfer
        do {
            guard let found = try store.outgoing(entry.identifier) else {
                return queue.async { [self] in perform(machine.vanished(entry.identifier, at: .now)) }
            }
            transfer = found
        } catch {
            return ended(Ending(identifier: entry.identifier, outcome: .unavailable(reason: "\(error)")))
        }
        logger.log(
            .transferSent,
            [.package(transfer.identifier), .kind(transfer.kind.rawValue), .attempt(entry.attempts), .device(device)])
        ledger.note(transfer.identifier, .outgoing, transfer.kind, device: device, .sent)
        if transfer.file != nil {
            sender?.start(transfer, to: device, in: epochs[device])
        } else {
            let package = MessagePackage(
                identifier: transfer.identifier, command: transfer.kind.command, status: .sent,
                dataPackage: transfer.payload, startsRound: entry.startsRound, timestamp: Date())
            send(package, device, epochs[device]) { [weak self] error in
                self?.ended(
                    Ending(identifier: transfer.identifier, outcome: .unavailable(reason: error.reason)))
            }
        }
    }

    private func settle() { perform(machine.ended(endings.take(), at: .now, jitter: Self.jitter)) }

    /// Writes the ends down, then tells them. Until that works the transfers count as pending; a restart would send them again,
    /// and their receiver would know them.
    private func record(_ endings: [Ending]) {
        do {
            let ends: [(identifier: UUID, ending: OutgoingTransfer.Ending)] = endings.map { ending in
                guard case .refused(let reason) = ending.outcome else {
                    return (ending.identifier, OutgoingTransfer.Ending(code: nil, reason: nil))
                }
                let code = ending.code ?? WCError.Code.genericError.rawValue
                return (ending.identifier, OutgoingTransfer.Ending(code: code, reason: reason))
            }
            try ledger.committing { batch throws(DatabaseError) in
                try store.settle(ends) { batch($0.map(Self.end(of:))) }
            }
        } catch {
            return queue.asyncAfter(deadline: .now() + Self.databaseRetry) { [weak self] in
                guard let self else { return }
                perform(machine.recordAgain())
            }
        }
        perform(machine.recorded(endings, at: .now))
    }

    /// How a transfer ended, for the ledger.
    private static func end(of transfer: OutgoingTransfer) -> LedgerBook.Note {
        let cause = transfer.ending?.code.map { _ in transfer.ending?.reason ?? "it failed without a reason" }
        return LedgerBook.Note(
            transfer.identifier, .outgoing, transfer.kind, device: transfer.peer.known,
            cause == nil ? .delivered : .failed, cause: cause)
    }

    private func finish(_ ending: Ending, _ item: TransferStateMachine.Item) {
        let fields: [LogField] = [.package(ending.identifier), .kind(item.kind.rawValue)]
        var error: WCError?
        if case .refused(let reason) = ending.outcome {
            error = WCError(ending.code.flatMap(WCError.Code.init(rawValue:)) ?? .genericError, reason: reason)
            logger.log(.transferFailed, fields + [.reason(reason)])
        } else {
            logger.log(.transferFinished, fields)
        }
        guard let object = objects.end(ending.identifier) else { return forget([ending.identifier]) }
        tell(ending.identifier, object, error)
    }

    private func tell(_ transfer: OutgoingTransfer) {
        guard let object = objects.object(transfer.identifier) else { return forget([transfer.identifier]) }
        let code = transfer.ending?.code.map { WCError.Code(rawValue: $0) ?? .genericError }
        tell(transfer.identifier, object, code.map { WCError($0, reason: transfer.ending?.reason) })
    }

    private func tell(_ identifier: UUID, _ object: TransferObject, _ error: WCError?) {
        guard telling.insert(identifier).inserted else { return }
        tellEnd(object, error) { [weak self] wasTold in
            guard let self else { return }
            guard wasTold else { return queue.async { _ = self.telling.remove(identifier) } }
            if told.add(identifier) {
                queue.asyncAfter(deadline: .now() + Self.endDelay) { self.forgetTold() }
            }
        }
    }

    private func forgetTold() {
        let identifiers = told.take()
        guard !identifiers.isEmpty else { return }
        telling.subtract(identifiers)
        forget(identifiers)
    }

    private func forget(_ identifiers: [UUID], _ notes: [LedgerBook.Note] = []) {
        do {
            try ledger.committing { batch throws(DatabaseError) in
                try store.forget(identifiers) { batch(notes) }
            }
            for identifier in identifiers { objects.remove(identifier) }
        } catch {
            queue.asyncAfter(deadline: .now() + Self.databaseRetry) { [weak self] in self?.forget(identifiers, notes) }
        }
    }

    /// Keeps one timer. One that fires early just sets the next; one that would be late is set anew.
    private func rearm() {
        guard let deadline = machine.nextDeadline else { return }
        if let timer {
            guard deadline < timer.time else { return }
            timer.source.cancel()
        }
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + max(0, (deadline - .now).inSeconds))
        source.setEventHandler { [weak self] in
            guard let self else { return }
            timer = nil
            perform(machine.deadlinePassed(at: .now, jitter: Self.jitter))
            rearm()
        }
        source.resume()
        timer = (source, deadline)
    }
}

extension OutgoingTransfer {
    fileprivate var item: TransferStateMachine.Item {
        TransferStateMachine.Item(peer: peer, kind: kind, position: position)
    }
}
