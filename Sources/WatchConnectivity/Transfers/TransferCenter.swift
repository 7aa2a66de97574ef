import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import Storage

/// The transfers on their way out: durable before the application is told, sent when the counterpart takes them, told to the
/// delegate when they are over. Carries out ``TransferQueues``.
// Proof of `@unchecked Sendable`: all mutable state is used on `queue` alone, except for what a mutex guards.
final class TransferCenter: @unchecked Sendable {
    /// What a transfer came to.
    struct Ending: Sendable {
        let identifier: UUID
        let outcome: OutboxStateMachine.Outcome
        /// Of a failure.
        var code: WCError.Code?

        init(identifier: UUID, outcome: OutboxStateMachine.Outcome, code: WCError.Code? = nil) {
            self.identifier = identifier
            self.outcome = outcome
            self.code = code
        }

        /// What the receiver answered.
        init(_ transfer: UUID, _ answer: MessagePackage) {
            identifier = transfer
            switch TransferAnswer(answer) {
            case .arrived: outcome = .replied
            case .later(let reason): outcome = .unavailable(reason: reason)
            case .refused(let error):
                outcome = .refused(reason: error.reason)
                code = error.code
            }
        }
    }

    private struct Item {
        var peer: UUID
        var kind: TransferKind
        let position: Int64
    }

    /// How long an end waits for others to be written down with it. 2 ms: a commit for each would take the disk from what is
    /// being queued.
    private static let endDelay: DispatchTimeInterval = .milliseconds(2)
    /// How long after the database failed it is tried again.
    private static let databaseRetry: DispatchTimeInterval = .seconds(1)

    let objects = TransferObjects()
    private let store: SessionStore
    private let queue: DispatchQueue
    private let ledger: LedgerBook
    private let logger: Logger
    private let backoff: Backoff
    private let send: PackageSender
    private let tellEnd: @Sendable (TransferObject, WCError?, @escaping @Sendable (Bool) -> Void) -> Void
    private let endings = Batch<Ending>()
    private let told = Batch<UUID>()

    private var queues: [UUID: TransferQueues] = [:]
    private var items: [UUID: Item] = [:]
    /// The device behind each counterpart that takes transfers now.
    private var devices: [UUID: UUID] = [:]
    private var unrecorded: [Ending] = []
    /// Ends that the delegate is about to be told.
    private var telling: Set<UUID> = []
    private var currentComplications: [UUID: UUID] = [:]
    private var timer: (any DispatchSourceTimer)?
    private var sender: FileSender?

    /// - Parameters:
    ///   - queue: Where the store is used.
    ///   - send: Hands a package to the link; calls back if it could not be sent.
    ///   - tellEnd: Tells the delegate how a transfer ended; calls back with whether it was told.
    init(
        store: SessionStore, queue: DispatchQueue, ledger: LedgerBook, configuration: DeviceConfiguration,
        send: @escaping PackageSender,
        tellEnd: @escaping @Sendable (TransferObject, WCError?, @escaping @Sendable (Bool) -> Void) -> Void
    ) {
        self.store = store
        self.queue = queue
        self.ledger = ledger
        logger = configuration.logger
        backoff = configuration.transferRetry
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
                if transfer.ending == nil { insert(transfer) }
            } catch {
                // What the database has of it is damaged: it can neither be sent nor be told of.
                logger.log(.transferFailed, [.package(transfer.identifier), .error(error)])
                try store.forget([transfer.identifier])
            }
        }
    }

    // MARK: - From the application

    /// Keeps a transfer, and sends it as soon as that is possible. When this returns without an error it is durable.
    func queue(_ transfer: OutgoingTransfer, _ object: TransferObject?) throws(DatabaseError) {
        try queue.sync { Result { () throws(DatabaseError) in try keep(transfer, object) } }.get()
    }

    private func keep(_ transfer: OutgoingTransfer, _ object: TransferObject?) throws(DatabaseError) {
        var transfer = transfer
        let (position, replaced) = try store.queue(transfer)
        transfer.position = position
        if let object { objects.add(object, peer: transfer.peer, position: position) }
        if transfer.kind == .context { objects.setSentContext(transfer.payload, transfer.peer) }
        let bytes = transfer.payload?.count ?? 0
        logger.log(
            .transferQueued, [.package(transfer.identifier), .kind(transfer.kind.rawValue), .bytes(bytes)])
        ledger.note(
            transfer.identifier, .outgoing, transfer.kind, device: transfer.peer.known,
            bytes: Int(transfer.file?.size ?? Int64(bytes)), .queued)
        if let replaced { coalesce(replaced, by: transfer.identifier) }
        if transfer.kind == .complication { calmFormerComplication(transfer) }
        insert(transfer)
        transmit(to: transfer.peer)
    }

    /// Takes a transfer back, if it is not over.
    func cancel(_ identifier: UUID) {
        queue.sync {
            guard let item = items[identifier] else { return }
            let wasUnderWay = queues[item.peer]?.isUnderWay(identifier, item.kind) == true
            guard withdraw(identifier, item) else { return }
            forget([identifier])
            objects.remove(identifier)
            if wasUnderWay, let device = devices[item.peer] { sender?.cancel(identifier, to: device) }
            logger.log(.transferCancelled, [.package(identifier), .kind(item.kind.rawValue)])
            ledger.note(identifier, .outgoing, item.kind, device: item.peer.known, .failed, cause: "cancelled")
            transmit(to: item.peer)
        }
    }

    // MARK: - From the link

    /// A counterpart's device takes transfers from now on, or does not any more.
    func availabilityChanged(_ isAvailable: Bool, of device: UUID, for peer: UUID) {
        queue.async { [self] in
            devices[peer] = isAvailable ? device : nil
            for entry in queues[peer]?.availabilityChanged(isAvailable) ?? [] {
                guard let item = items[entry.identifier] else { continue }
                sender?.stop(entry.identifier)
                logger.log(.transferInterrupted, [.package(entry.identifier), .kind(item.kind.rawValue)])
                ledger.note(
                    entry.identifier, .outgoing, item.kind, device: device, .queued,
                    cause: "the counterpart went away before it had answered")
            }
            transmit(to: peer)
        }
    }

    /// What was queued for whichever watch comes first is for this one.
    func adopt(_ peer: UUID) {
        queue.async { [self] in
            do {
                try store.adopt(peer, from: .unknownPeer)
            } catch {
                return logger.log(.databaseUnavailable, [.error(error)])
            }
            queues[.unknownPeer] = nil
            objects.adopt(peer)
            let adopted = items.filter { $0.value.peer == .unknownPeer }.sorted {
                $0.value.position < $1.value.position
            }
            for (identifier, item) in adopted {
                items[identifier]?.peer = peer
                enqueue(identifier, item.kind, item.position, peer)
            }
            transmit(to: peer)
        }
    }

    /// Nothing that waits for a counterpart can arrive any more.
    func giveUp(_ peer: UUID, _ error: WCError) {
        queue.async { [self] in
            objects.setSentContext(nil, peer)
            do {
                try store.forgetContexts(of: peer)
            } catch {
                logger.log(.databaseUnavailable, [.error(error)])
            }
            for (identifier, item) in items where item.peer == peer && withdraw(identifier, item, keepingItem: true) {
                unrecorded.append(
                    Ending(
                        identifier: identifier, outcome: .refused(reason: error.reason), code: error.code))
            }
            record()
        }
    }

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
                logger.log(.databaseUnavailable, [.error(error)])
            }
        }
    }

    /// Writes down the ends that are known, and those that the delegate was told. On the queue.
    func finish() {
        settle()
        forgetTold()
    }

    /// Transfers that are not over.
    var pendingCount: Int { queue.sync { items.count } }

    // MARK: - On the queue

    private func insert(_ transfer: OutgoingTransfer) {
        items[transfer.identifier] = Item(
            peer: transfer.peer, kind: transfer.kind, position: transfer.position)
        if transfer.kind == .complication { currentComplications[transfer.peer] = transfer.identifier }
        enqueue(transfer.identifier, transfer.kind, transfer.position, transfer.peer)
    }

    private func enqueue(_ identifier: UUID, _ kind: TransferKind, _ position: Int64, _ peer: UUID) {
        let entry = TransferQueues.Entry(identifier: identifier, position: position, isUrgent: kind == .complication)
        // In place: a queue that is taken out and put back would be copied, however much waits in it.
        queues[peer, default: newQueue(for: peer)].inserted(entry, kind)
    }

    private func newQueue(for peer: UUID) -> TransferQueues {
        var queue = TransferQueues(backoff: backoff)
        _ = queue.availabilityChanged(devices[peer] != nil)
        return queue
    }

    /// Whether the transfer was not over, and is out of the queue now.
    private func withdraw(_ identifier: UUID, _ item: Item, keepingItem: Bool = false) -> Bool {
        guard
            queues[item.peer]?.cancelled(identifier, item.kind, at: .now, jitter: Double.random(in: 0..<1)) == true
        else { return false }
        sender?.stop(identifier)
        if !keepingItem { items[identifier] = nil }
        if currentComplications[item.peer] == identifier { currentComplications[item.peer] = nil }
        return true
    }

    /// Only one transfer is the complication's current one; the former waits like any other.
    private func calmFormerComplication(_ transfer: OutgoingTransfer) {
        guard let former = currentComplications[transfer.peer] else { return }
        do {
            try store.calm(former)
        } catch {
            logger.log(.databaseUnavailable, [.error(error)])
        }
        queues[transfer.peer]?.calmed(former)
        items[former]?.kind = .userInfo
        objects.calm(former)
    }

    /// A newer context waits; the former arrives only if it is under way already.
    private func coalesce(_ former: UUID, by newer: UUID) {
        guard let item = items[former] else { return }
        if queues[item.peer]?.isUnderWay(former, .context) != true, !withdraw(former, item) { return }
        logger.log(.contextCoalesced, [.package(former), .related(newer)])
        ledger.note(
            former, .outgoing, .context, device: item.peer.known, .coalesced,
            cause: "a newer context took its place", related: newer)
    }

    private func transmit(to peer: UUID) {
        // While ends cannot be written down nothing new goes out: what must be remembered stays bounded.
        guard unrecorded.isEmpty, let device = devices[peer] else { return }
        for entry in queues[peer]?.transmit(at: .now) ?? [] { transmit(entry, to: device) }
        if queues[peer]?.nextDeadline != nil { rearm() }
    }

    private func transmit(_ entry: TransferQueues.Entry, to device: UUID) {
        let transfer: OutgoingTransfer
        do {
            guard let found = try store.outgoing(entry.identifier) else {
                return drop(entry)
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
            sender?.start(transfer, to: device)
        } else {
            let package = MessagePackage(
                identifier: transfer.identifier, command: transfer.kind.command, status: .sent,
                dataPackage: transfer.payload, timestamp: Date())
            send(package, device) { [weak self] error in
                self?.ended(
                    Ending(
                        identifier: transfer.identifier, outcome: .unavailable(reason: error.reason)))
            }
        }
    }

    /// A context whose place a newer one took while it was under way, and that then did not arrive.
    private func drop(_ entry: TransferQueues.Entry) {
        guard let item = items.removeValue(forKey: entry.identifier) else { return }
        _ = queues[item.peer]?.settled(entry.identifier, item.kind, .replied, at: .now, jitter: 0)
        queue.async { self.transmit(to: item.peer) }
    }

    private func settle() {
        var peers: Set<UUID> = []
        for ending in endings.take() {
            guard let item = items[ending.identifier] else { continue }
            peers.insert(item.peer)
            let action = queues[item.peer]?.settled(
                ending.identifier, item.kind, ending.outcome, at: .now, jitter: Double.random(in: 0..<1))
            switch action {
            case .finish, .giveUp: unrecorded.append(ending)
            case .retry(let entry, let reason):
                logger.log(
                    .transferRetryScheduled,
                    [
                        .package(entry.identifier), .kind(item.kind.rawValue), .attempt(entry.attempts),
                        .reason(reason),
                    ])
                ledger.note(entry.identifier, .outgoing, item.kind, device: item.peer.known, .queued, cause: reason)
            case .ignore, nil: break
            }
        }
        record()
        for peer in peers { transmit(to: peer) }
    }

    /// Writes the ends down, then tells them. Until that works the transfers count as pending; a restart would send them again,
    /// and their receiver would know them.
    private func record() {
        guard !unrecorded.isEmpty else { return }
        do {
            try store.settle(
                unrecorded.map { ending in
                    guard case .refused(let reason) = ending.outcome else {
                        return (ending.identifier, OutgoingTransfer.Ending(code: nil, reason: nil))
                    }
                    let code = (ending.code ?? .genericError).rawValue
                    return (ending.identifier, OutgoingTransfer.Ending(code: code, reason: reason))
                })
        } catch {
            logger.log(.databaseUnavailable, [.error(error), .count(unrecorded.count)])
            queue.asyncAfter(deadline: .now() + Self.databaseRetry) { [weak self] in
                guard let self else { return }
                record()
                for peer in devices.keys { transmit(to: peer) }
            }
            return
        }
        let recorded = unrecorded
        unrecorded.removeAll()
        for ending in recorded { finish(ending) }
    }

    private func finish(_ ending: Ending) {
        guard let item = items.removeValue(forKey: ending.identifier) else { return }
        if currentComplications[item.peer] == ending.identifier { currentComplications[item.peer] = nil }
        let fields: [LogField] = [.package(ending.identifier), .kind(item.kind.rawValue)]
        var error: WCError?
        if case .refused(let reason) = ending.outcome {
            error = WCError(ending.code ?? .genericError, reason: reason)
            logger.log(.transferFailed, fields + [.reason(reason)])
            ledger.note(ending.identifier, .outgoing, item.kind, device: item.peer.known, .failed, cause: reason)
        } else {
            logger.log(.transferFinished, fields)
            ledger.note(ending.identifier, .outgoing, item.kind, device: item.peer.known, .delivered)
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

    private func forget(_ identifiers: [UUID]) {
        do {
            try store.forget(identifiers)
            for identifier in identifiers { objects.remove(identifier) }
        } catch {
            logger.log(.databaseUnavailable, [.error(error), .count(identifiers.count)])
            queue.asyncAfter(deadline: .now() + Self.databaseRetry) { [weak self] in self?.forget(identifiers) }
        }
    }

    private func rearm() {
        timer?.cancel()
        timer = nil
        guard let deadline = queues.values.compactMap(\.nextDeadline).min() else { return }
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + (deadline - .now).inSeconds)
        source.setEventHandler { [weak self] in
            guard let self else { return }
            for peer in devices.keys { transmit(to: peer) }
        }
        source.resume()
        timer = source
    }
}
