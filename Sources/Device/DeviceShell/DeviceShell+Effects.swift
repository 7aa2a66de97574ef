import DeviceEngine
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import Metrics

/// The execution of the engine's effects.
extension DeviceShell {
    func perform(_ effect: DeviceEngine.Effect) {
        switch effect {
        case .write(let package, let device, let transfer): write(package, to: device, of: transfer)
        case .writeLate(let package, let device): writeLate(package, to: device)
        case .disconnect(let device, let reason, let misbehaved):
            disconnect(device, reason, misbehaved: misbehaved)
        case .misbehaved(let device, let error): log(.peerMisbehaved, [.device(device), .error(error)])
        case .setReading(let device, let isReading): endpoint.setReading(isReading, from: device)
        case .greet(let state): endpoint.setState(state)
        case .loseLink(let span): loseLink(for: span)

        case .presenceChanged(let former): tell { $0.presenceChanged(from: former, to: engine.presence) }
        case .news(.abandonMessages): endMessages { $0.abandoned($1, $2) }
        case .news(.dropHandlers): endMessages { $0.dropped($1, $2) }
        case .news(let news): tell { $0.perform(news) }
        case .deliver(let package, let device, let bytes): deliver(package, from: device, bytes: bytes)
        case .replied(let message, let reply): end(message, reply)
        case .failed(let message, let failure): end(message, failure)
        case .give(let transfer, let opening): give(transfer, opening: opening)
        case .tellEnd(let transfer, let ending): tellEnd(of: transfer, ending)
        case .fileProgressed(let transfer, let offset): tell { $0.fileProgressed(transfer, to: offset) }
        case .arrived(let count, let isOpen): tell { inbox.received(count, isDeliverable: isOpen && $0.canDeliver) }
        case .settled(let count): if inbox.settled(count) { app?.drainIfDone() }
        case .recordCompanion(let companion): tell { $0.record(companion) }
        case .forgetCompanion(let device): tell { $0.forget(device) }

        case .load(let transfers, let batch): store.load(transfers, batch: batch)
        case .record(let endings): store.record(endings)
        case .forget(let transfers, let notes): store.forget(transfers, notes)
        case .demote(let transfer): store.demote(transfer)
        case .adopt(let peer): store.adopt(peer)
        case .forgetContexts(let peer): store.forgetContexts(of: peer)
        case .readEnded: store.readEnded()
        case .keep(let arrivals): store.keep(arrivals)
        case .readInbox(let position, let limit): store.readInbox(after: position, limit: limit)
        case .remove(let positions, let notes): store.remove(positions, notes)

        case .openSource(let transfer): files.openSource(transfer)
        case .readPieces(let transfer, let pieces): files.readPieces(transfer, pieces)
        case .closeSource(let transfer): files.closeSource(transfer)
        case .openPart(let key, let offer, let peer): files.openPart(key, offer, from: peer)
        case .append(let key, let chunk, let held): files.append(key, chunk, held: held)
        case .finishPart(let key, let offer, let chunk, let peer, let held):
            files.finish(key, offer, chunk, from: peer, held: held)
        case .closePart(let key): files.closePart(key)
        case .closeParts(let device): files.closeParts(of: device)
        case .removePart(let key, let peer): files.removePart(key, from: peer)
        case .removeFile(let path): files.removeFile(path)

        case .messageSent(let message, let device): sent(message, to: device)
        case .messageAnswered(let message, let status):
            log(.messageReplied, [.package(message), .status(status.rawValue)])
        case .log(let event, let fields): log(event, fields)
        case .note(let note): home.ledger.note(note)
        case .faultInjected(let rule, let passage, let span): injected(rule, passage, for: span)
        }
    }

    private func log(_ event: LogEvent, _ fields: @autoclosure () -> [LogField]) {
        settings.logger.log(event, fields())
    }

    private func sent(_ message: MessagePackage, to device: UUID) {
        log(.messageSent, [.package(message.identifier), .command(message.command.rawValue)])
        guard let kind = TransferKind(message.command) else { return }
        home.ledger.note(
            LedgerNote(
                message.identifier, .outgoing, kind, device: device, bytes: message.dataPackage?.count ?? 0, .sent,
                at: message.timestamp))
    }

    private func injected(_ rule: FaultRule, _ passage: FaultStateMachine.Passage, for span: Duration?) {
        SessionMetrics.faults.add(1, rule.effect.name)
        settings.tap.note(
            DeviceEvent(
                "fault", .other, passage.package.answers ?? passage.package.identifier,
                .words(rule.deed(on: passage.package, for: span)),
                of: servesAll ? passage.device.identifier : nil, at: loop.now))
        log(
            .faultInjected,
            [
                .package(passage.package.answers ?? passage.package.identifier), .fault(rule.description),
                .device(passage.device.identifier),
            ])
    }

    // MARK: - The link

    /// Notes a package on the link for a recording.
    func note(_ package: MessagePackage, isWritten: Bool, with device: UUID) {
        settings.tap.note(package, isWritten: isWritten, with: servesAll ? device : nil, at: loop.now)
    }

    private func write(_ package: MessagePackage, to device: UUID, of transfer: UUID?) {
        // Before it is sent: the counterpart may be faster than the rest of this turn.
        note(package, isWritten: true, with: device)
        do throws(LinkSendError) {
            try endpoint.send(package, to: device)
            engine.wrote(package, to: device, of: transfer, at: Moment(loop.now, package.timestamp))
        } catch {
            engine.unwritten(package, to: device, of: transfer, error, at: now)
        }
    }

    private func writeLate(_ package: MessagePackage, to device: UUID) {
        note(package, isWritten: true, with: device)
        do throws(LinkSendError) {
            try endpoint.send(package, to: device)
        } catch {
            log(.messageFailed, [.package(package.identifier), .reason("could not be sent after a delay: \(error)")])
        }
    }

    private func disconnect(_ device: UUID, _ reason: String, misbehaved: Bool) {
        if misbehaved { log(.peerMisbehaved, [.device(device), .reason(reason)]) }
        endpoint.disconnect(device, reason)
    }

    private func loseLink(for span: Duration) {
        // Deferred: a sender must learn that its package was sent before it learns of the loss.
        loop.atEndOfTurn { [endpoint] in endpoint.conditioner.lose(for: span) }
    }

    // MARK: - The app

    /// Reports something to the app, after the deliveries that precede it.
    private func tell(_ body: (any DeviceApp) -> Void) {
        flushDeliveries()
        if let app { body(app) }
    }

    private func deliver(_ package: MessagePackage, from device: Device, bytes: Int) {
        if package.wantsReply { openReplies.add(1) }
        hand(.message(IncomingMessage(package, from: device, bytes: bytes, onDrop: onDrop)))
    }

    /// Queues work for the delegate; it is handed over at the end of this turn of the loop, as one batch.
    private func hand(_ work: DelegateQueue.Work) {
        if deliveries.isEmpty { loop.atEndOfTurn { [self] in endDeliveries() } }
        deliveries.append(work)
    }

    private func endDeliveries() {
        flushDeliveries()
        if queue.isLong { loop.afterTurn { [queue] in queue.waitForRoom() } }
    }

    func flushDeliveries() {
        guard queue.add(&deliveries) else { return }
        loop.afterTurn { [queue] in queue.drain() }
    }

    private func end(_ message: UUID, _ reply: Data?) {
        guard let box = handlers.removeValue(forKey: message) else { return }
        outstanding.add(-1)
        let kind = box.value.kind
        let isWanted = box.value.reply != nil
        home.ledger.note(
            LedgerNote(message, .outgoing, kind, device: nil, isWanted ? .replied : .delivered, at: Date()))
        guard isWanted else { return }
        SessionMetrics.replied(kind, after: loop.now.seconds(since: box.value.start))
        hand(.reply(reply ?? Data(), to: message, box))
    }

    private func end(_ message: UUID, _ failure: MessageFailure) {
        guard let box = handlers.removeValue(forKey: message) else { return }
        tell { $0.failed(message, failure, box) }
    }

    /// Ends all messages that wait for a reply.
    private func endMessages(_ end: (any DeviceApp, UUID, UncheckedBox<MessageHandlers>) -> Void) {
        let ended = handlers
        handlers.removeAll()
        tell { app in for (message, box) in ended { end(app, message, box) } }
    }

    private func give(_ transfer: ReceivedTransfer, opening: Int) {
        tell { app in
            app.deliver(transfer) { [weak self] delivery in
                self?.report { $0.given(transfer.position, delivery, opening: opening, at: $1) }
            }
        }
    }

    private func tellEnd(of transfer: UUID, _ ending: OutgoingTransfer.Ending) {
        tell { app in
            app.tellEnd(of: transfer, ending) { [weak self] wasTold in
                self?.report { $0.told(transfer, wasTold: wasTold, at: $1) }
            }
        }
    }
}
