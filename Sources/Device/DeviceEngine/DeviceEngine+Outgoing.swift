import EventLog
package import Foundation
package import LinkProtocol

/// The transfers on their way out: durable before the engine hears of them, sent when the counterpart takes them, told to the
/// delegate when their end is written down.
extension DeviceEngine {
    /// How long an end waits for others to be written down with it. 2 ms: a commit for each would take the disk from what is
    /// being queued.
    static let endDelay = Duration.milliseconds(2)
    /// How long after the database failed it is tried again, whatever it was asked for.
    static let databaseRetry = EndRecorder<TransferStateMachine.Ending>.retryDelay

    /// The state of what goes out, beside the rules' own.
    struct Outgoing: Sendable {
        /// A transfer that is being read from the store, or was read and has not had its turn to be sent.
        struct Loading: Sendable {
            let entry: TransferQueues.Entry
            let device: UUID
            let batch: Int
        }

        /// Counts how often a device began or ceased to take transfers: a file that was opened in a former epoch has nothing to
        /// send in this one.
        var epochs: [UUID: UInt64] = [:]
        var loading: [UUID: Loading] = [:]
        /// The transfer that has just been queued, at hand with its payload.
        var fresh: OutgoingTransfer?
        /// Transfers that are at hand, by device and in order. Each goes out when the one before it is written: behind one that
        /// cannot be written none may, however small it is.
        var ready: [UUID: Deque<OutgoingTransfer>] = [:]
        /// The transfer that is being written to a device.
        var writing: [UUID: UUID] = [:]

        /// The watch that is to be given what waits for the first one.
        var adopter: UUID?

        /// Transfers to be read from the store, together.
        var toLoad: [UUID] = []
        /// Counts what is read together. A transfer of a former batch that has begun anew meanwhile is read with those that go
        /// before it: sent on the word of the former batch, it would overtake them.
        var batch = 0
        var endings: [TransferStateMachine.Ending] = []
        /// Ends that the delegate is about to be told, or was told and the store has not forgotten.
        var telling: Set<UUID> = []
        /// Ends among them that were read again: somebody may be there to be told who was not before.
        var reread: Set<UUID> = []
        var told: [UUID] = []
        /// Transfers that could not be forgotten yet, with what is noted then.
        var unforgotten: [UUID] = []
        var unforgottenNotes: [LedgerNote] = []

        func isLoading(for device: UUID) -> Bool { loading.values.contains { $0.device == device } }

        /// Those of a batch that are still waited for, in order.
        func expected(of asked: [UUID], batch: Int) -> [UUID] { asked.filter { loading[$0]?.batch == batch } }
    }

    // MARK: - From the application

    /// Takes up a transfer that an earlier run left, before anything else happens.
    package mutating func load(_ transfer: OutgoingTransfer) { transfers.load(transfer.identifier, transfer.item) }

    /// A transfer is durable.
    ///
    /// - Parameters:
    ///   - replaced: The context whose place it took.
    ///   - failure: How it ends, on demand, without being sent.
    package mutating func queued(
        _ transfer: OutgoingTransfer, replacing replaced: UUID?, failing failure: TransferStateMachine.Ending? = nil,
        at moment: Moment
    ) {
        if let failure { return perform(transfers.queued(transfer.item, ending: failure, at: moment.time), at: moment) }
        outgoing.fresh = transfer
        perform(
            transfers.queued(
                transfer.identifier, transfer.item, replacing: replaced, at: moment.time, jitter: jitter()), at: moment)
        outgoing.fresh = nil
        if transfer.peer == .unknownPeer { adoptRest(at: moment) }
    }

    /// The application takes a transfer back.
    ///
    /// - Returns: Its kind; nil if it was over.
    package mutating func cancelled(_ transfer: UUID, at moment: Moment) -> TransferKind? {
        guard let (item, actions) = transfers.cancelled(transfer, at: moment.time, jitter: jitter()) else { return nil }
        let note = LedgerNote(
            transfer, .outgoing, item.kind, device: item.peer.known, .failed, at: moment.date, cause: "cancelled")
        emit(.forget([transfer], [note]))
        perform(actions, at: moment)
        return item.kind
    }

    // MARK: - From presence

    mutating func availabilityChanged(_ isAvailable: Bool, of device: UUID, at moment: Moment) {
        outgoing.epochs[device, default: 0] += 1
        outgoing.ready[device] = nil
        perform(
            transfers.availabilityChanged(isAvailable, of: device, for: counterpart(device), at: moment.time),
            at: moment)
    }

    /// Gives a watch the transfers that were queued for whichever comes first. The store is asked until it has done so.
    mutating func adopt(by watch: UUID, at moment: Moment) {
        outgoing.adopter = watch
        alarms.adopting = moment.time + Self.databaseRetry
        emit(.adopt(watch))
    }

    mutating func adoptAgain(at moment: Moment) {
        if let watch = outgoing.adopter { adopt(by: watch, at: moment) }
    }

    /// Something may wait for the first watch, and there is one: an earlier run ended before the store gave it that, or it was
    /// queued while the store did.
    mutating func adoptRest(at moment: Moment) {
        guard presence.role == .host, outgoing.adopter == nil, transfers.hasUnaddressed, let watch = presence.active
        else { return }
        adopt(by: watch.identifier, at: moment)
    }

    /// The store has given a watch what was queued for whichever comes first.
    package mutating func adopted(_ peer: UUID, at moment: Moment) {
        stopAdopting(by: peer)
        perform(transfers.adopted(by: peer, at: moment.time), at: moment)
        // The watch may be gone by now, and with it whoever would have had them.
        guard presence.role == .host, let watch = presence.companions[peer],
            !watch.isPaired || !watch.isAppInstalled
        else { return }
        giveUp(peer, isPaired: watch.isPaired, at: moment)
    }

    private mutating func stopAdopting(by peer: UUID) {
        guard outgoing.adopter == peer else { return }
        outgoing.adopter = nil
        alarms.adopting = nil
    }

    mutating func giveUp(_ peer: UUID, isPaired: Bool, at moment: Moment) {
        stopAdopting(by: peer)
        emit(.forgetContexts(peer))
        let (code, reason): (SessionErrorCode, String) =
            isPaired
            ? (.watchAppNotInstalled, "The watch has no such app") : (.deviceNotPaired, "No device is paired")
        perform(
            transfers.gaveUp(peer, reason: reason, code: code.rawValue, at: moment.time, jitter: jitter()), at: moment)
    }

    // MARK: - From the store

    /// These transfers were read; those that are not here are not in the store.
    package mutating func loaded(
        _ found: [UUID: OutgoingTransfer], of asked: [UUID], batch: Int, at moment: Moment
    ) {
        for identifier in outgoing.expected(of: asked, batch: batch) {
            guard let device = outgoing.loading[identifier]?.device else { continue }
            guard let transfer = found[identifier] else {
                outgoing.loading[identifier] = nil
                perform(transfers.vanished(identifier, at: moment.time), at: moment)
                continue
            }
            outgoing.ready[device, default: Deque()].append(transfer)
            transmitReady(to: device, at: moment)
        }
    }

    /// These transfers could not be read now.
    package mutating func loadFailed(_ asked: [UUID], batch: Int, reason: String, at moment: Moment) {
        let expected = outgoing.expected(of: asked, batch: batch)
        for device in Set(expected.compactMap { outgoing.loading[$0]?.device }) {
            putOff(expected.filter { outgoing.loading[$0]?.device == device }, for: device, reason: reason, at: moment)
        }
    }

    /// Transfers could not be sent, nor may those that are about to be: they would overtake them.
    mutating func putOff(_ transfers: [UUID], for device: UUID, reason: String, at moment: Moment) {
        let behind = outgoing.loading.values.filter { $0.device == device }.map(\.entry)
            .sorted { $0.position < $1.position }.map(\.identifier)
        let former = Set(transfers)
        outgoing.ready[device] = nil
        for identifier in transfers + behind.filter({ !former.contains($0) }) {
            outgoing.loading[identifier] = nil
            ended(
                TransferStateMachine.Ending(identifier: identifier, outcome: .unavailable(reason: reason)), at: moment)
        }
        // At once, so that none goes out before this one is known to wait.
        settleEndings(at: moment)
    }

    /// The ends that were to be written down are durable.
    package mutating func recorded(at moment: Moment) {
        perform(transfers.recorded(at: moment.time), at: moment)
    }

    /// The ends could not be written down. Until that works the transfers count as pending; a restart would send them again, and
    /// their receiver would know them.
    package mutating func recordFailed(at moment: Moment) {
        transfers.recordFailed(at: moment.time)
        alarms.transfers = transfers.nextDeadline
    }

    /// The transfers whose end the delegate does not know.
    package mutating func endedRead(_ ended: [OutgoingTransfer]) {
        for transfer in ended {
            guard let ending = transfer.ending, !tell(transfer.identifier, ending) else { continue }
            outgoing.reread.insert(transfer.identifier)
        }
    }

    /// They could not be read.
    package mutating func endedUnread(at moment: Moment) { alarms.readingEnded = moment.time + Self.databaseRetry }

    /// Transfers are forgotten.
    package mutating func forgotten(_ identifiers: [UUID]) {
        outgoing.telling.subtract(identifiers)
        outgoing.reread.subtract(identifiers)
    }

    /// Transfers could not be forgotten.
    package mutating func forgetFailed(_ identifiers: [UUID], _ notes: [LedgerNote], at moment: Moment) {
        outgoing.unforgotten += identifiers
        outgoing.unforgottenNotes += notes
        alarms.forgetting = moment.time + Self.databaseRetry
    }

    // MARK: - From the delegate

    /// The delegate was told how a transfer ended, or nobody was there to be told.
    package mutating func told(_ transfer: UUID, wasTold: Bool, at moment: Moment) {
        guard wasTold else {
            outgoing.telling.remove(transfer)
            if outgoing.reread.remove(transfer) != nil { emit(.readEnded) }
            return
        }
        outgoing.told.append(transfer)
        if alarms.forgetting == nil { alarms.forgetting = moment.time + Self.endDelay }
    }

    mutating func forgetTold(at moment: Moment) {
        let identifiers = outgoing.unforgotten + outgoing.told
        let notes = outgoing.unforgottenNotes
        outgoing.told.removeAll(keepingCapacity: true)
        outgoing.unforgotten.removeAll()
        outgoing.unforgottenNotes.removeAll()
        if !identifiers.isEmpty { emit(.forget(identifiers, notes)) }
    }

    // MARK: - Ends

    /// A try is over. Those that end together are settled together.
    mutating func ended(_ ending: TransferStateMachine.Ending, at moment: Moment) {
        outgoing.endings.append(ending)
        if alarms.endings == nil { alarms.endings = moment.time + Self.endDelay }
    }

    mutating func settleEndings(at moment: Moment) {
        alarms.endings = nil
        let endings = outgoing.endings
        outgoing.endings.removeAll(keepingCapacity: true)
        perform(transfers.ended(endings, at: moment.time, jitter: jitter()), at: moment)
    }

    /// - Returns: Whether the delegate is told now: false if it is being told, or was.
    @discardableResult
    private mutating func tell(_ transfer: UUID, _ ending: OutgoingTransfer.Ending) -> Bool {
        guard outgoing.telling.insert(transfer).inserted else { return false }
        emit(.tellEnd(transfer, ending))
        return true
    }

    // MARK: - Actions

    mutating func perform(_ actions: [TransferStateMachine.Action], at moment: Moment) {
        for action in actions { perform(action, at: moment) }
        if !outgoing.toLoad.isEmpty {
            emit(.load(outgoing.toLoad, batch: outgoing.batch))
            outgoing.batch += 1
            outgoing.toLoad.removeAll(keepingCapacity: true)
        }
        // Only the end of a try makes the next deadline an earlier one; to look for it takes a look at every counterpart.
        if alarms.transfers == nil || actions.contains(where: { if case .stop = $0 { true } else { false } }) {
            alarms.transfers = transfers.nextDeadline
        }
    }

    private mutating func perform(_ action: TransferStateMachine.Action, at moment: Moment) {
        switch action {
        case .transmit(let entry, _, let device):
            let loading = Outgoing.Loading(entry: entry, device: device, batch: outgoing.batch)
            // What is being read, or waits for its turn, was queued before it, and goes before it.
            let isNext = !outgoing.isLoading(for: device)
            outgoing.loading[entry.identifier] = loading
            if isNext, let fresh = outgoing.fresh, fresh.identifier == entry.identifier {
                outgoing.ready[device] = Deque([fresh])
                transmitReady(to: device, at: moment)
            } else {
                outgoing.toLoad.append(entry.identifier)
            }
        case .stop(let transfer):
            outgoing.loading[transfer] = nil
            stopFile(transfer)
        case .withdraw(let transfer, let device): withdraw(transfer, from: device, at: moment)
        case .record(let endings): emit(.record(endings))
        case .finished(let ending, let item): finish(ending, item)
        case .retry(let entry, let item, let reason):
            log(
                .transferRetryScheduled,
                [.package(entry.identifier), .kind(item.kind.rawValue), .attempt(entry.attempts), .reason(reason)])
            note(entry.identifier, item, device: item.peer.known, .queued, at: moment, cause: reason)
        case .interrupted(let entry, let item, let device):
            log(.transferInterrupted, [.package(entry.identifier), .kind(item.kind.rawValue)])
            note(
                entry.identifier, item, device: device, .queued, at: moment,
                cause: "the counterpart went away before it had answered")
        case .coalesced(let former, _, let newer): log(.contextCoalesced, [.package(former), .related(newer)])
        case .calm(let former): emit(.calm(former))
        }
    }

    /// Sends what is at hand for a device, up to the first that must be written.
    private mutating func transmitReady(to device: UUID, at moment: Moment) {
        while outgoing.writing[device] == nil, let transfer = outgoing.ready[device]?.first {
            outgoing.ready[device]?.removeFirst()
            // A transfer that was stopped meanwhile has no entry any more.
            if let loading = outgoing.loading.removeValue(forKey: transfer.identifier) {
                transmit(transfer, loading, at: moment)
            }
        }
    }

    /// The link has taken a transfer, or has not: the next one's turn.
    mutating func endWriting(_ transfer: UUID, to device: UUID, at moment: Moment) {
        guard outgoing.writing[device] == transfer else { return }
        outgoing.writing[device] = nil
        transmitReady(to: device, at: moment)
    }

    /// Sends a transfer. One whose device went away meanwhile was stopped, and is not here.
    private mutating func transmit(_ transfer: OutgoingTransfer, _ loading: Outgoing.Loading, at moment: Moment) {
        let (entry, device) = (loading.entry, loading.device)
        log(
            .transferSent,
            [.package(transfer.identifier), .kind(transfer.kind.rawValue), .attempt(entry.attempts), .device(device)])
        note(transfer.identifier, transfer.item, device: device, .sent, at: moment)
        guard transfer.file == nil else { return openFile(transfer, for: device) }
        let package = MessagePackage(
            identifier: transfer.identifier, command: transfer.kind.command, status: .sent,
            dataPackage: transfer.payload, startsRound: entry.startsRound, timestamp: moment.date)
        outgoing.writing[device] = transfer.identifier
        write(package, to: device, of: transfer.identifier, at: moment)
    }

    private mutating func finish(_ ending: TransferStateMachine.Ending, _ item: TransferStateMachine.Item) {
        var fields: [LogField] { [.package(ending.identifier), .kind(item.kind.rawValue)] }
        if case .refused(let reason) = ending.outcome {
            log(.transferFailed, fields + [.reason(reason)])
        } else {
            log(.transferFinished, fields)
        }
        tell(ending.identifier, OutgoingTransfer.Ending(ending))
    }

    private mutating func note(
        _ transfer: UUID, _ item: TransferStateMachine.Item, device: UUID?, _ state: LedgerEntry.State,
        at moment: Moment, cause: String? = nil
    ) {
        emit(.note(LedgerNote(transfer, .outgoing, item.kind, device: device, state, at: moment.date, cause: cause)))
    }
}

extension OutgoingTransfer {
    var item: TransferStateMachine.Item { TransferStateMachine.Item(peer: peer, kind: kind, position: position) }
}

extension OutgoingTransfer.Ending {
    /// The end of a try, as the store keeps it.
    package init(_ ending: TransferStateMachine.Ending) {
        guard case .refused(let reason) = ending.outcome else {
            self.init(code: nil, reason: nil)
            return
        }
        self.init(code: ending.code ?? SessionErrorCode.genericError.rawValue, reason: reason)
    }
}
