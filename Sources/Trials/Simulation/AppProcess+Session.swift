import Foundation
import LinkProtocol
import QuizSync
import WatchConnectivity

/// The session: carries out its machine, as the product's driver does.
extension AppProcess {
    func perform(_ actions: [SessionStateMachine.Action], _ chunk: FilePackage.Chunk? = nil) {
        for action in actions { perform(action, chunk) }
    }

    private func perform(_ action: SessionStateMachine.Action, _ chunk: FilePackage.Chunk?) {
        switch action {
        case .presence(let former, let actions):
            if former.own.application != session.presence.own.application {
                trace { "the app is \(session.presence.own.application.rawValue)" }
            }
            for action in actions { perform(action) }
        case .deliver(let package, let device, let bytes): deliver(package, device, bytes)
        case .refuse(let package, let device): answer(package, device, .failed, .notReachable)
        case .keep(let package, let device, _): keep(package, device, chunk)
        case .transferAnswered(let transfer, let answer):
            ended(TransferStateMachine.Ending(transfer, answer))
        case .fileProgressed(let transfer, let offset, let device):
            fileProgressed(transfer, to: offset, from: device)
            transfers.progressed(transfer, at: world.now)
        case .fileCancelled(let transfer, _):
            incomingFiles[transfer] = nil
            commit(node.session) { $0.parts[transfer] = nil }
        case .replied(let message, let reply): end(message, .success(reply))
        case .failed(let message, let failure):
            if failure == .timedOut { timedOut.insert(message) }
            end(message, .failure(failure))
        case .stray(let stray, let message, _):
            if world.bug == .repliesTwice, stray == .late, timedOut.contains(message) {
                world.chronicle.handlerCalled(message)
            }
        case .misbehaved(let device, let error): endpoint(device)?.close("\(error)")
        case .setReading(let device, let isReading): endpoint(device)?.setReading(isReading)
        }
    }

    private func perform(_ action: PresenceStateMachine.Action) {
        switch action {
        case .activation(let activation):
            if activation == .notActivated {
                isInboxOpen = false
                if session.presence.own.application == .terminated { discardDelegateWork() }
            }
        case .didActivate:
            tellEnds()
            isInboxOpen = true
            pump()
        case .didBecomeInactive, .watchState, .companionApp: break
        case .didDeactivate:
            // The app activates its session again, as Apple's documentation tells it to.
            enqueueDelegate { [self] in perform(session.change { $0.activate() }) }
        case .reachability(let device, let isReachable):
            trace { "\(world.name(device)) is \(isReachable ? "reachable" : "not reachable")" }
            enqueueDelegate { [self] in if node.role == .companion { reachabilityChanged(isReachable) } }
        case .transfers(let device, let isAvailable):
            perform(
                transfers.availabilityChanged(
                    isAvailable, of: device, for: session.counterpart(device), at: world.now))
        case .tell(let device, let state): tell(device, state)
        case .refuse(let device, let reason): endpoint(device)?.close(reason)
        case .record(let companion): commit(node.session) { $0.companions[companion.identifier] = companion }
        case .forget(let device): commit(node.session) { $0.companions[device] = nil }
        case .adopt(let device):
            commit(node.session) {
                for (identifier, transfer) in $0.outgoing where transfer.peer == .unknownPeer {
                    $0.outgoing[identifier]?.peer = device
                }
            } _: { [self] _ in
                perform(transfers.adopted(by: device, at: world.now))
            }
        case .giveUpTransfers(let device, _):
            perform(
                transfers.gaveUp(
                    device, reason: "not paired", code: WCError.Code.deviceNotPaired.rawValue, at: world.now,
                    jitter: world.random.unit()))
        case .abandonMessages:
            for message in waiting.keys.sorted(by: precedes) { end(message, .failure(.notReachable)) }
        case .dropHandlers:
            for (message, waiter) in waiting {
                if waiter.isQuiz { quizEnded(message, .failure(.notReachable)) }
                world.chronicle.abandoned(message)
            }
            waiting.removeAll()
        case .hold: delegate.isHeld = true
        case .release:
            delegate.isHeld = false
            runDelegate()
        case .launch: perform(session.change { $0.activate() })
        case .refreshTask: break
        }
    }

    private func precedes(_ left: UUID, _ right: UUID) -> Bool { left.uuidString < right.uuidString }

    private func tell(_ device: UUID, _ state: DeviceState) {
        do {
            endpoint(device)?.send(
                try MessagePackage(
                    .state, content: state.entries, identifier: world.identifier(), timestamp: node.wallClock))
        } catch {
            world.chronicle.fail(.settles, "a state has no archive: \(error)")
        }
    }

    // MARK: - Messages out

    func send(_ message: UUID, to device: UUID, isQuiz: Bool, after predecessor: UUID? = nil) {
        let waiter = Waiting(isQuiz: isQuiz, target: device)
        waiting[message] = waiter
        guard session.presence.activation == .activated, session.presence.isReachable(device) else {
            return end(message, .failure(.notReachable))
        }
        if let refusal = session.send(message, wantsReply: true, to: device, at: world.now) {
            return end(message, .failure(refusal))
        }
        guard let endpoint = endpoint(device) else {
            session.unsent(message, to: device)
            return end(message, .failure(.notReachable))
        }
        endpoint.send(
            MessagePackage(
                identifier: message, command: .sendMessageData, status: .sent,
                dataPackage: predecessor.map { Data($0.uuidString.utf8) }, wantsReply: true, timestamp: node.wallClock))
        setSessionTimer()
    }

    private func setSessionTimer() {
        guard !sessionTimer, let deadline = session.nextDeadline else { return }
        sessionTimer = true
        schedule(at: deadline) { [self] in
            sessionTimer = false
            perform(session.deadlinePassed(at: world.now))
            setSessionTimer()
        }
    }

    enum Reply {
        case success(Data?)
        case failure(MessageFailure)
    }

    private func end(_ message: UUID, _ reply: Reply) {
        guard let waiter = waiting.removeValue(forKey: message) else { return }
        let discard = { [self] in
            if waiter.isQuiz { quizEnded(message, reply) }
            world.chronicle.abandoned(message)
        }
        enqueueDelegate(discard: discard) { [self] in
            if waiter.isQuiz { quizEnded(message, reply) } else { world.chronicle.handlerCalled(message) }
        }
    }

    // MARK: - Messages in

    private func deliver(_ package: MessagePackage, _ device: Device, _ bytes: Int) {
        let discard = { [self] in
            answer(package, device, .failed, .notReachable)
            perform(session.handled(device.identifier, bytes: bytes))
        }
        enqueueDelegate(discard: discard) { [self] in
            if world.isQuiz(package.identifier) {
                quizArrived(package, device)
            } else if world.isReplied(package.identifier) {
                schedule(after: world.delay()) { [self] in answer(package, device, .replied, nil) }
            }
            if world.bug != .neverHandled { perform(session.handled(device.identifier, bytes: bytes)) }
        }
    }

    func answer(
        _ package: MessagePackage, _ device: Device, _ status: DeliveryStatus, _ code: WCError.Code?,
        data: Data? = nil
    ) {
        do {
            guard try session.answering(package.identifier, of: device.identifier, with: status) else { return }
        } catch {
            return world.chronicle.fail(.legalStatus, "\(package.identifier): \(error)")
        }
        endpoint(device.identifier)?.send(
            MessagePackage(
                identifier: world.identifier(), command: package.command, status: status, dataPackage: data,
                errorMessage: code.map { "\($0)" }, errorCode: code?.rawValue, answers: package.identifier,
                timestamp: node.wallClock))
    }

    // MARK: - The delegate

    func enqueueDelegate(discard: @escaping () -> Void = {}, _ run: @escaping () -> Void) {
        delegate.items.append(DelegateWork.Item(run: run, discard: discard))
        if delegate.items.count > LinkLimits.undeliveredMessages * 4 {
            world.chronicle.fail(.bounded, "\(delegate.items.count) calls wait for the delegate of node \(node.index)")
        }
        runDelegate()
    }

    func runDelegate() {
        guard !delegate.isRunning, !delegate.isHeld, !delegate.items.isEmpty else { return }
        delegate.isRunning = true
        schedule(after: world.callDelay()) { [self] in
            delegate.isRunning = false
            guard !delegate.isHeld, !delegate.items.isEmpty else { return }
            delegate.items.removeFirst().run()
            runDelegate()
            drainIfDone()
        }
    }

    private func discardDelegateWork() {
        let items = delegate.items
        delegate.items.removeAll()
        for item in items { item.discard() }
    }

    /// Whether the app has done all that it was woken for, or that a switch waits for.
    func drainIfDone() {
        guard session.presence.awaitsDrain, delegate.items.isEmpty, withDelegate.isEmpty,
            node.session.content.inbox.isEmpty || !isInboxOpen
        else { return }
        perform(session.change { $0.drained() })
    }

    /// What a person, or the system, does with the device.
    func change(_ event: (inout PresenceStateMachine) -> [PresenceStateMachine.Action]) {
        perform(session.change(event))
        drainIfDone()
    }
}
