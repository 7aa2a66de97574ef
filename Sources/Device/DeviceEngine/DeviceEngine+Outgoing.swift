import EventLog
package import Foundation
package import LinkProtocol

/// Outgoing transfers: durable before the engine learns of them, sent while the counterpart accepts them, and reported
/// to the delegate once their outcome is durable.
extension DeviceEngine {
    /// The time for which an outcome waits to be recorded together with others. 2 ms: one commit for each would slow down
    /// queueing.
    static let endDelay = Duration.milliseconds(2)
    /// The time between a database failure and the next attempt, for every kind of request.
    static let databaseRetry = EndRecorder<TransferStateMachine.Ending>.retryDelay

    /// The state of outgoing transfers, beside that of the state machine.
    struct Outgoing: Sendable {
        /// A transfer that is being read from the store, or waits for its turn to be sent.
        struct Loading: Sendable {
            let entry: TransferQueues.Entry
            let device: UUID
            let batch: Int
        }

        /// The number of times a device started or stopped accepting transfers. A file opened in an earlier epoch must
        /// not be sent in this one.
        var epochs: [IdentifierKey: UInt64] = [:]
        var loading: [IdentifierKey: Loading] = [:]
        /// The transfer that was just queued, in memory with its payload.
        var fresh: OutgoingTransfer?
        /// Transfers in memory, by device and in order. Each is sent when the previous one is written: after one that
        /// cannot be written, none may be sent, however small.
        var ready: [IdentifierKey: Deque<OutgoingTransfer>] = [:]
        /// The transfer being written to each device.
        var writing: [IdentifierKey: UUID] = [:]

        /// The watch to which unaddressed transfers are to be assigned.
        var adopter: UUID?

        /// Transfers to read from the store in one batch.
        var toLoad: [UUID] = []
        /// The number of the current batch. A transfer of an earlier batch that has restarted is read again with those
        /// before it; otherwise it would overtake them.
        var batch = 0
        var endings: [TransferStateMachine.Ending] = []
        /// Outcomes that are being reported to the delegate, or were reported and are still stored.
        var telling: Set<IdentifierKey> = []
        /// Outcomes in ``telling`` that were read again, because there may be a receiver now.
        var reread: Set<IdentifierKey> = []
        var told: [UUID] = []
        /// Transfers that could not be forgotten yet, and the notes to write with them.
        var unforgotten: [UUID] = []
        var unforgottenNotes: [LedgerNote] = []

        func isLoading(for device: UUID) -> Bool { loading.values.contains { $0.device == device } }

        /// Returns the transfers of a batch that are still expected, in order.
        func expected(of asked: [UUID], batch: Int) -> [UUID] { asked.filter { loading[$0]?.batch == batch } }
    }

    // MARK: - From the application

    /// Loads a transfer of an earlier run, before any other event.
    package mutating func load(_ transfer: OutgoingTransfer) { transfers.load(transfer.identifier, transfer.item) }

    /// Handles a queued transfer that is durable.
    ///
    /// - Parameters:
    ///   - replaced: The context that it replaced.
    ///   - failure: The outcome that a fault imposes on it without sending it.
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

    /// Cancels a transfer for the app.
    ///
    /// - Returns: Its kind; nil if it had ended.
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
        // Answers to the attempts so far, which must not count for those that follow.
        if !outgoing.endings.isEmpty { settleEndings(at: moment) }
        outgoing.epochs[IdentifierKey(device), default: 0] += 1
        outgoing.ready[device] = nil
        if !isAvailable { interruptFiles(from: device, at: moment) }
        perform(
            transfers.availabilityChanged(isAvailable, of: device, for: counterpart(device), at: moment.time),
            at: moment)
    }

    /// Assigns the unaddressed transfers to a watch. The request is repeated until the store has done so.
    mutating func adopt(by watch: UUID, at moment: Moment) {
        outgoing.adopter = watch
        alarms.adopting = moment.time + Self.databaseRetry
        emit(.adopt(watch))
    }

    mutating func adoptAgain(at moment: Moment) {
        if let watch = outgoing.adopter { adopt(by: watch, at: moment) }
    }

    /// Assigns transfers that are still unaddressed although there is a watch: an earlier run ended before the store
    /// assigned them, or they were queued in the meantime.
    mutating func adoptRest(at moment: Moment) {
        guard presence.role == .host, outgoing.adopter == nil, transfers.hasUnaddressed, let watch = presence.active
        else { return }
        adopt(by: watch.identifier, at: moment)
    }

    /// Handles the store's assignment of the unaddressed transfers to a watch.
    package mutating func adopted(_ peer: UUID, at moment: Moment) {
        stopAdopting(by: peer)
        perform(transfers.adopted(by: peer, at: moment.time), at: moment)
        // The watch may have been unpaired, or lost the app, in the meantime.
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
            ? (.watchAppNotInstalled, "The app is not installed on the watch")
            : (.deviceNotPaired, "No device is paired")
        perform(
            transfers.gaveUp(peer, reason: reason, code: code.rawValue, at: moment.time, jitter: jitter()), at: moment)
    }

    // MARK: - From the store

    /// Handles transfers read from the store; those missing from `found` are not in the store.
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
            outgoing.ready[IdentifierKey(device), default: Deque()].append(transfer)
            transmitReady(to: device, at: moment)
        }
    }

    /// Handles a failed read of transfers.
    package mutating func loadFailed(_ asked: [UUID], batch: Int, reason: String, at moment: Moment) {
        let expected = outgoing.expected(of: asked, batch: batch)
        for device in Set(expected.compactMap { outgoing.loading[$0]?.device }) {
            putOff(expected.filter { outgoing.loading[$0]?.device == device }, for: device, reason: reason, at: moment)
        }
    }

    /// Puts off transfers that could not be sent, and those after them, which would overtake them.
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
        // Immediately, so that none is sent before this one is known to wait.
        settleEndings(at: moment)
    }

    /// Handles outcomes that are now durable.
    package mutating func recorded(at moment: Moment) {
        perform(transfers.recorded(at: moment.time), at: moment)
    }

    /// Handles outcomes that could not be recorded. Until they are, the transfers count as pending; a restart would send
    /// them again, and the receiver would recognize the duplicates.
    package mutating func recordFailed(at moment: Moment) {
        transfers.recordFailed(at: moment.time)
        alarms.transfers = transfers.nextDeadline
    }

    /// Handles the transfers whose outcome the delegate does not know.
    package mutating func endedRead(_ ended: [OutgoingTransfer]) {
        for transfer in ended {
            guard let ending = transfer.ending, !tell(transfer.identifier, ending) else { continue }
            outgoing.reread.insert(transfer.identifier)
        }
    }

    /// Handles a failed read of those transfers.
    package mutating func endedUnread(at moment: Moment) { alarms.readingEnded = moment.time + Self.databaseRetry }

    /// Handles transfers that were removed from the store.
    package mutating func forgotten(_ identifiers: [UUID]) {
        for identifier in identifiers {
            outgoing.telling.remove(identifier)
            outgoing.reread.remove(identifier)
        }
    }

    /// Handles transfers that could not be removed from the store.
    package mutating func forgetFailed(_ identifiers: [UUID], _ notes: [LedgerNote], at moment: Moment) {
        outgoing.unforgotten += identifiers
        outgoing.unforgottenNotes += notes
        alarms.forgetting = moment.time + Self.databaseRetry
    }

    // MARK: - From the delegate

    /// Handles the report of a transfer's outcome to the delegate; `wasTold` is false if there was no receiver.
    package mutating func told(_ transfer: UUID, wasTold: Bool, at moment: Moment) {
        guard wasTold else {
            outgoing.telling.remove(transfer)
            if outgoing.reread.remove(transfer) { emit(.readEnded) }
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

    // MARK: - Outcomes

    /// Handles a counterpart's answer to a transfer.
    mutating func answered(_ ending: TransferStateMachine.Ending, by device: UUID, at moment: Moment) {
        // No device speaks for another.
        guard transfers.peer(of: ending.identifier) == counterpart(device) else { return }
        // A transfer that waits to be sent again gets the answer to its former attempt. If that postponed it, the later
        // ones, which go out now, would overtake it.
        if case .unavailable = ending.outcome, outgoing.loading[ending.identifier] != nil { return }
        ended(ending, at: moment)
    }

    /// Collects an ended attempt, to be settled with others.
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

    /// - Returns: `true` if the delegate is notified now; `false` if it already is or was.
    @discardableResult
    private mutating func tell(_ transfer: UUID, _ ending: OutgoingTransfer.Ending) -> Bool {
        guard outgoing.telling.insert(transfer) else { return false }
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
        // Only an ended attempt can make the next deadline earlier; finding it scans every counterpart.
        if alarms.transfers == nil || actions.contains(where: { if case .stop = $0 { true } else { false } }) {
            alarms.transfers = transfers.nextDeadline
        }
    }

    private mutating func perform(_ action: TransferStateMachine.Action, at moment: Moment) {
        switch action {
        case .transmit(let entry, _, let device):
            let loading = Outgoing.Loading(entry: entry, device: device, batch: outgoing.batch)
            // Transfers being read, or waiting for their turn, were queued earlier and are sent first.
            let isNext = !outgoing.isLoading(for: device)
            guard isNext, let fresh = outgoing.fresh, fresh.identifier == entry.identifier else {
                outgoing.loading[entry.identifier] = loading
                outgoing.toLoad.append(entry.identifier)
                break
            }
            guard outgoing.writing[device] != nil else {
                outgoing.ready[device] = nil
                transmit(fresh, loading, at: moment)
                break
            }
            outgoing.loading[entry.identifier] = loading
            outgoing.ready[device] = Deque([fresh])
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
                cause: "the counterpart disconnected before answering")
        case .coalesced(let former, _, let newer): log(.contextCoalesced, [.package(former), .related(newer)])
        case .demote(let former): emit(.demote(former))
        }
    }

    /// Sends the transfers in memory for a device, up to the first that must wait for a write.
    private mutating func transmitReady(to device: UUID, at moment: Moment) {
        while outgoing.writing[device] == nil, let transfer = outgoing.ready[device]?.first {
            outgoing.ready[IdentifierKey(device)]?.removeFirst()
            // A transfer that was stopped in the meantime has no entry.
            if let loading = outgoing.loading.removeValue(forKey: transfer.identifier) {
                transmit(transfer, loading, at: moment)
            }
        }
    }

    /// Handles the end of a transfer's write, and sends the next.
    mutating func endWriting(_ transfer: UUID, to device: UUID, at moment: Moment) {
        guard outgoing.writing[device] == transfer else { return }
        outgoing.writing[device] = nil
        transmitReady(to: device, at: moment)
    }

    /// Sends a transfer. One whose device disconnected was stopped and does not reach this point.
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
    /// Creates the stored form of an attempt's outcome.
    package init(_ ending: TransferStateMachine.Ending) {
        guard case .refused(let reason) = ending.outcome else {
            self.init(code: nil, reason: nil)
            return
        }
        self.init(code: ending.code ?? SessionErrorCode.genericError.rawValue, reason: reason)
    }
}
