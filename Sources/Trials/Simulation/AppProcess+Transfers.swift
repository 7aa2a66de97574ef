import Foundation
import LinkProtocol
import WatchConnectivity

/// Background transfers: queued durably, sent, kept by their receiver, given to its delegate.
extension AppProcess {
    // MARK: - Out

    func queue(_ transfer: UUID, _ kind: TransferKind, to peer: UUID, size: Int64 = 0) {
        commit(node.session) { records -> (position: Int64, replaced: UUID?) in
            var replaced: UUID?
            if kind == .context {
                replaced =
                    records.outgoing.values.first {
                        $0.kind == .context && $0.peer == peer && $0.ending == nil
                    }?.identifier
                if let replaced { records.outgoing[replaced] = nil }
            }
            records.lastPosition += 1
            records.outgoing[transfer] = SessionRecords.Outgoing(
                identifier: transfer, peer: peer, kind: kind, position: records.lastPosition, size: size)
            return (records.lastPosition, replaced)
        } _: { [self] queued in
            guard let queued else { return }
            trace { "queues \(kind.rawValue) \(world.name(transfer))" }
            world.chronicle.queued(transfer)
            perform(
                transfers.queued(
                    transfer, TransferStateMachine.Item(peer: peer, kind: kind, position: queued.position),
                    replacing: queued.replaced, at: world.now, jitter: world.random.unit()))
        }
    }

    func cancel(_ transfer: UUID) {
        guard let (_, actions) = transfers.cancelled(transfer, at: world.now, jitter: world.random.unit()) else {
            return
        }
        trace { "cancels \(world.name(transfer))" }
        world.chronicle.cancelled(transfer)
        forget(transfer)
        perform(actions)
    }

    func perform(_ actions: [TransferStateMachine.Action]) {
        for action in actions { perform(action) }
        setTransferTimer()
    }

    private func perform(_ action: TransferStateMachine.Action) {
        switch action {
        case .transmit(let entry, let item, let device): transmit(entry, item, to: device)
        case .stop(let transfer): outgoingFiles[transfer] = nil
        case .withdraw(let transfer, let device): withdraw(transfer, from: device)
        case .record(let endings):
            commit(node.session) { records in
                for ending in endings { records.outgoing[ending.identifier]?.ending = ending }
            } _: { [self] done in
                guard done != nil else {
                    return schedule(after: .second) { [self] in perform(transfers.recordAgain()) }
                }
                perform(transfers.recorded(endings, at: world.now))
            }
        case .finished(let ending, _): tell(ending)
        case .calm(let transfer): commit(node.session) { $0.outgoing[transfer]?.kind = .userInfo }
        case .retry, .interrupted, .coalesced: break
        }
    }

    private func transmit(_ entry: TransferQueues.Entry, _ item: TransferStateMachine.Item, to device: UUID) {
        guard let record = node.session.content.outgoing[entry.identifier] else {
            return schedule(after: 0) { [self] in
                perform(transfers.vanished(entry.identifier, at: world.now))
            }
        }
        trace { "sends \(item.kind.rawValue) \(world.name(entry.identifier)), try \(entry.attempts)" }
        guard item.kind != .file else { return offer(record, to: device) }
        endpoint(device)?.send(
            MessagePackage(
                identifier: entry.identifier, command: item.kind.command, status: .sent,
                startsRound: entry.startsRound, timestamp: node.wallClock))
    }

    /// A try is over. What comes together is settled together.
    func ended(_ ending: TransferStateMachine.Ending) {
        transferEnds.append(ending)
        guard transferEnds.count == 1 else { return }
        schedule(after: 2_000_000) { [self] in
            let endings = transferEnds
            transferEnds.removeAll()
            perform(transfers.ended(endings, at: world.now, jitter: world.random.unit()))
        }
    }

    /// The ends that the delegate does not know.
    func tellEnds() {
        for transfer in node.session.content.outgoing.values.sorted(by: { $0.position < $1.position }) {
            if let ending = transfer.ending { tell(ending) }
        }
    }

    private func tell(_ ending: TransferStateMachine.Ending) {
        guard telling.insert(ending.identifier).inserted else { return }
        let discard = { [self] in _ = telling.remove(ending.identifier) }
        enqueueDelegate(discard: discard) { [self] in
            trace { "\(world.name(ending.identifier)) has ended" }
            var cause: String?
            if case .refused(let reason) = ending.outcome { cause = reason }
            world.chronicle.ended(ending.identifier, cause: cause, isFailed: cause != nil)
            forget(ending.identifier)
        }
    }

    private func forget(_ transfer: UUID) {
        commit(node.session) {
            $0.outgoing[transfer] = nil
        } _: { [self] done in
            if done == nil { schedule(after: .second) { [self] in forget(transfer) } }
        }
    }

    private func setTransferTimer() {
        guard let deadline = transfers.nextDeadline, transferTimer.map({ deadline < $0 }) ?? true else { return }
        transferTimer = deadline
        schedule(at: max(deadline, world.now)) { [self] in
            guard transferTimer == deadline else { return }
            transferTimer = nil
            perform(transfers.deadlinePassed(at: world.now, jitter: world.random.unit()))
        }
    }

    // MARK: - In

    func keep(_ package: MessagePackage, _ device: Device, _ chunk: FilePackage.Chunk?) {
        switch package.command {
        case .transferFile: fileOffered(package, by: device)
        case .fileChunk: if let chunk { received(chunk, from: device) }
        default: arrived(package, device)
        }
    }

    func arrived(_ package: MessagePackage, _ device: Device) {
        transferArrivals.append((package, device, nil))
        takeInNext()
    }

    /// As the inbox, it makes one commit after the other: what comes behind one that fails is put off.
    private func takeInNext() {
        guard !isTakingIn, !transferArrivals.isEmpty else { return }
        isTakingIn = true
        schedule(after: 0) { [self] in takeIn() }
    }

    private func takeIn() {
        let batch = transferArrivals.filter { arrival in
            let kind = TransferKind(arrival.package.command) ?? .userInfo
            let isAdmitted =
                world.bug == .overtakes
                ? world.random.unit() > 0.2
                : gate.admits(
                    kind, from: arrival.device.identifier, startsRound: arrival.package.startsRound || kind == .file)
            if !isAdmitted {
                answerTransfer(arrival.package, arrival.device, isKept: false)
                perform(session.handled(arrival.device.identifier, bytes: 0))
            }
            return isAdmitted
        }
        transferArrivals.removeAll()
        guard !batch.isEmpty else {
            isTakingIn = false
            return
        }
        let peers = batch.map { session.counterpart($0.device.identifier) }
        let keepsOld = world.bug == .keepsOldContext
        let loses = world.bug == .losesTransfers
        commit(node.session) { records in
            zip(batch, peers).map { arrival, peer in
                Self.receive(arrival.package, from: peer, keepsOld: keepsOld, loses: loses, &records)
            }
        } _: { [self] isNew in
            for (index, arrival) in batch.enumerated() {
                perform(session.handled(arrival.device.identifier, bytes: 0))
                guard let isNew else {
                    let kind = TransferKind(arrival.package.command) ?? .userInfo
                    gate.putOff(kind, from: arrival.device.identifier)
                    answerTransfer(arrival.package, arrival.device, isKept: false)
                    continue
                }
                if isNew[index] {
                    trace { "keeps \(world.name(arrival.package.identifier))" }
                    world.chronicle.arrived(arrival.package.identifier)
                }
                answerTransfer(arrival.package, arrival.device, isKept: true)
            }
            if isNew != nil { perform(session.arrived(.transfer)) }
            pump()
            isTakingIn = false
            takeInNext()
        }
    }

    /// The twin of the inbox's tables: each transfer once, and of contexts the latest.
    private static func receive(
        _ package: MessagePackage, from peer: UUID, keepsOld: Bool, loses: Bool, _ records: inout SessionRecords
    ) -> Bool {
        if loses, records.lastPosition.isMultiple(of: 5) { return false }
        guard records.seen[peer, default: []].insert(package.identifier).inserted else { return false }
        let kind = TransferKind(package.command) ?? .userInfo
        if kind == .context {
            if keepsOld, records.lastPosition.isMultiple(of: 3) { return true }
            records.inbox.removeAll { $0.kind == .context && $0.peer == peer }
        }
        records.lastPosition += 1
        records.inbox.append(
            SessionRecords.Arrival(
                position: records.lastPosition, identifier: package.identifier, peer: peer, kind: kind))
        return true
    }

    func answerTransfer(_ package: MessagePackage, _ device: Device, isKept: Bool) {
        endpoint(device.identifier)?.send(
            MessagePackage(
                identifier: world.identifier(), command: package.command, status: isKept ? .replied : .failed,
                errorMessage: isKept ? nil : "it could not be kept", answers: package.identifier,
                timestamp: node.wallClock))
    }

    /// Gives the delegate what it has not had.
    func pump() {
        guard isInboxOpen else { return }
        for arrival in node.session.content.inbox where withDelegate.insert(arrival.position).inserted {
            let discard = { [self] in _ = withDelegate.remove(arrival.position) }
            enqueueDelegate(discard: discard) { [self] in
                trace { "is given \(world.name(arrival.identifier))" }
                if arrival.kind == .context { world.chronicle.shown(arrival.identifier) }
                remove(arrival.position)
            }
        }
    }

    private func remove(_ position: Int64) {
        commit(node.session) {
            $0.inbox.removeAll { $0.position == position }
        } _: { [self] done in
            guard done != nil else { return schedule(after: .second) { [self] in remove(position) } }
            withDelegate.remove(position)
            drainIfDone()
        }
    }
}
