import DeviceEngine
import Foundation
import LinkProtocol

/// Carries out the engine's effects.
extension SimulatedShell {
    func perform(_ effect: DeviceEngine.Effect) {
        switch effect {
        case .write(let package, let device, let transfer): write(package, to: device, of: transfer)
        case .writeLate(let package, let device):
            if !armed.delayed.isEmpty { checkLateness(of: package, to: device) }
            endpoint(device)?.send(package)
        case .disconnect(let device, let reason, let misbehaved):
            if misbehaved { world.chronicle.fail(.behaves, "\(device) misbehaved: \(reason)") }
            endpoint(device)?.close(reason)
        // A file that is offered again on the same connection may get pieces that followed the earlier offer.
        case .misbehaved(_, let error): trace { "rejects a piece: \(error)" }
        case .setReading(let device, let isReading): endpoint(device)?.setReading(isReading)
        case .greet(let state): greeting = state
        case .loseLink(let span): loseLink(span)
        case .presenceChanged(let former): presenceChanged(from: former)
        case .news(let news): perform(news)
        case .deliver(let package, let device, let bytes):
            checkAttention(package)
            enqueue(.message(package, device, bytes))
        case .replied(let message, let reply):
            end(message, .success(reply))
            if world.bug == .repliesTwice { world.chronicle.handlerCalled(message) }
        case .failed(let message, let failure): end(message, .failure(failure))
        case .give(let transfer, let opening):
            checkGift(transfer)
            enqueue(.give(transfer, opening))
        case .tellEnd(let transfer, let ending): enqueue(.tellEnd(transfer, ending))
        case .arrived(let count, _): undelivered += count
        case .settled(let count): settled(count)
        case .load, .record, .forget, .demote, .adopt, .forgetContexts, .readEnded, .keep, .readInbox, .remove,
            .recordCompanion, .forgetCompanion:
            store(effect)
        case .openSource, .readPieces, .closeSource, .openPart, .append, .finishPart, .closePart, .closeParts,
            .removePart, .removeFile:
            file(effect)
        case .note(let note): self.note(note, at: node.wallClock)
        case .messageSent(let package, _):
            let message = package.identifier
            if let complaint = world.notes.sent(message, mayRepeat: world.isQuiz(message)) {
                world.chronicle.fail(.notes, complaint)
            }
        case .messageAnswered(let message, let status):
            if let complaint = world.notes.answered(message, status) { world.chronicle.fail(.notes, complaint) }
        case .fileProgressed(let transfer, let offset): progressed(transfer, to: offset)
        case .log: break
        case .faultInjected(let rule, let passage, _):
            injected(rule, passage)
        }
    }

    /// - Parameter clock: The time the note must have; nil if it may be older.
    func note(_ note: LedgerNote, at clock: Date?) {
        guard world.bug != .forgetsNotes || note.state != .delivered else { return }
        if let complaint = world.notes.noted(note, by: node.index, at: clock) {
            world.chronicle.fail(.notes, complaint)
        }
    }

    private func perform(_ news: AppNotification) {
        if let complaint = view.hears(news) {
            world.chronicle.fail(.toldInOrder, "the app of node \(node.index): \(complaint)")
        }
        switch news {
        case .activation(let activation):
            isActivated = activation == .activated
            if isActivated, node.role == .companion { enqueue(.activated) }
            if activation == .notActivated, ask({ $0.session.presence.own.application }) == .terminated {
                discardCalls()
            }
        // The app activates its session again, as Apple's documentation requires.
        case .didDeactivate: enqueue(.reactivate)
        case .reachability(let device, let isReachable):
            trace { "\(world.name(device)) is \(isReachable ? "reachable" : "not reachable")" }
            enqueue(.reachability(isReachable))
            if world.bug == .tellsTwice, let complaint = view.hears(news) {
                world.chronicle.fail(.toldInOrder, complaint)
            }
        case .hold: calls.isHeld = true
        case .release:
            calls.isHeld = false
            runCalls()
        case .launch: act { $0.activate(at: $1) }
        case .abandonMessages:
            for (message, _) in waiting.all { end(message, .failure(.notReachable)) }
        case .dropHandlers:
            for (message, _) in waiting.all { world.chronicle.abandoned(message) }
            waiting = NameTable()
        case .didActivate, .didBecomeInactive, .watchState, .companionApp, .refreshTask: break
        }
    }

    private func write(_ package: MessagePackage, to device: UUID, of transfer: UUID?) {
        guard let endpoint = endpoint(device) else {
            return act { $0.unwritten(package, to: device, of: transfer, .notConnected, at: $1) }
        }
        // Interactive messages are small: a peer's queue has room for them when it has none for a transfer.
        guard transfer == nil || !world.isLinkFull() else {
            trace { "has no room for \(package.command.rawValue) \(transfer.map(world.name) ?? "")" }
            return act { $0.unwritten(package, to: device, of: transfer, .queueFull, at: $1) }
        }
        if transfer == package.identifier {
            trace { "sends \(package.command.rawValue) \(world.name(package.identifier))" }
        }
        endpoint.send(package)
        act { $0.wrote(package, to: device, of: transfer, at: $1) }
    }

    /// The receiver has a file up to this offset.
    private func progressed(_ transfer: UUID, to offset: Int64) {
        guard let size = node.session.content.outgoing[transfer]?.file?.size else { return }
        if !(0...size).contains(offset) {
            world.chronicle.fail(.notes, "\(transfer) has progressed to \(offset) of \(size) bytes")
        }
        acknowledged[transfer] = offset
    }
}
