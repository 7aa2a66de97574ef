import DeviceEngine
import Foundation
import LinkProtocol

/// The app: calls of its delegate, messages and transfers.
extension SimulatedShell {
    // MARK: - The delegate

    func enqueue(_ call: DelegateCalls.Call) {
        calls.waiting.append(call)
        if calls.waiting.count > LinkLimits.undeliveredMessages * 4 {
            world.chronicle.fail(
                .bounded, "\(calls.waiting.count) calls wait for the delegate of node \(node.index)")
        }
        runCalls()
    }

    func runCalls() {
        guard !calls.isRunning, !calls.isHeld, !calls.waiting.isEmpty else { return }
        calls.isRunning = true
        schedule(at: world.now.advanced(world.delegateDelay()), .call(self))
    }

    func runNextCall() {
        calls.isRunning = false
        guard !calls.isHeld, !calls.waiting.isEmpty else { return }
        run(calls.waiting.takeFirst())
        runCalls()
        drainIfDone()
    }

    private func run(_ call: DelegateCalls.Call) {
        switch call {
        case .message(let package, let device, let bytes):
            world.chronicle.messageGiven(package.identifier)
            world.notes.given(package.identifier, isNoted: world.bug != .neverHandled)
            if world.isQuiz(package.identifier) {
                quizArrived(package, device)
            } else if world.isReplied(package.identifier) {
                schedule(after: world.delay()) { [self] in answer(package, device, .reply(nil)) }
            }
            guard world.bug != .neverHandled else { return }
            act { $0.delivered(package, from: device.identifier, bytes: bytes, at: $1) }
        case .end(let message, let isQuiz, let reply):
            if isQuiz { quizEnded(message, reply) } else { world.messageEnded(message, reply) }
        case .give(let transfer, let opening):
            trace { "gets \(world.name(transfer.identifier))" }
            if let path = transfer.path, !node.files.content.inbox.contains(path) {
                world.chronicle.fail(.transfersArrive, "the file of \(transfer.identifier) is missing")
            }
            world.chronicle.given(transfer.identifier, in: life)
            world.notes.given(transfer.identifier)
            world.transferGiven(transfer.identifier)
            act { $0.given(transfer.position, .delivered, opening: opening, at: $1) }
        case .tellEnd(let transfer, let ending):
            trace { "\(world.name(transfer)) has ended" }
            let isHidden = world.bug == .hidesEnds && world.random.happens(0.3)
            if !isHidden { world.transferEnded(transfer, ending, in: life) }
            act { $0.told(transfer, wasTold: true, at: $1) }
        case .reachability(let isReachable): if node.role == .companion { quizzes.reachabilityChanged(isReachable) }
        case .activated:
            quizzes.activated(isReachable: view.reachable.contains(world.nodes[0].device.identifier))
        case .reactivate: act { $0.activate(at: $1) }
        }
    }

    /// Discards the waiting calls when the app's process ends.
    func discardCalls() {
        let discarded = calls.waiting
        calls.waiting.removeAll()
        for call in discarded {
            switch call {
            case .message(let package, let device, let bytes):
                answer(package, device, .failure(.notReachable, reason: "the app ended"))
                act { $0.handled(device.identifier, bytes: bytes, at: $1) }
            case .end(let message, _, _): world.chronicle.abandoned(message)
            case .give(let transfer, let opening):
                lastGiven = nil
                act { $0.given(transfer.position, .discarded, opening: opening, at: $1) }
            case .tellEnd(let transfer, _): act { $0.told(transfer, wasTold: false, at: $1) }
            case .reachability, .activated, .reactivate: break
            }
        }
    }

    /// Counts transfers that no longer wait: never more than there were.
    func settled(_ count: Int) {
        undelivered -= count
        guard undelivered < 0 else { return }
        world.chronicle.fail(.bounded, "\(undelivered) transfers wait for the delegate of node \(node.index)")
        undelivered = 0
    }

    /// Reports to the engine when the app has finished the work it was woken for, or that a switch waits for.
    func drainIfDone() {
        guard awaitsDrain, calls.waiting.isEmpty, undelivered == 0 else { return }
        act { $0.drained(at: $1) }
    }

    /// Applies an action of a person or the system to the device.
    func change(_ event: (inout PresenceStateMachine) -> [PresenceStateMachine.Action]) {
        act { $0.change(at: $1, event) }
    }

    // MARK: - Messages

    func send(_ message: UUID, to device: UUID, isQuiz: Bool, after predecessor: UUID? = nil) {
        waiting[message] = Waiting(isQuiz: isQuiz, sentAt: world.now)
        guard isActivated, view.reachable.contains(device) else { return end(message, .failure(.notReachable)) }
        let package = MessagePackage(
            identifier: message, command: .sendMessageData, status: .sent,
            dataPackage: predecessor.map { predecessor in withUnsafeBytes(of: predecessor.uuid) { Data($0) } },
            wantsReply: true, timestamp: node.wallClock)
        if let refusal = act({ $0.send(package, to: device, at: $1) }) { end(message, .failure(refusal)) }
    }

    func answer(_ package: MessagePackage, _ device: Device, _ answer: DeviceEngine.Answer) {
        act { $0.answer(package, of: device.identifier, with: answer, at: $1) }
    }

    func end(_ message: UUID, _ reply: DelegateCalls.Reply) {
        guard let waited = waiting[message] else { return }
        waiting[message] = nil
        check(reply, to: message, waited)
        enqueue(.end(message, isQuiz: waited.isQuiz, reply))
    }

    private func check(_ reply: DelegateCalls.Reply, to message: UUID, _ waited: Waiting) {
        switch reply {
        case .success:
            if let complaint = world.notes.complaint(aboutReplyTo: message) { world.chronicle.fail(.notes, complaint) }
        case .failure(let failure):
            if let complaint = complaint(about: failure, waited, after: world.now - waited.sentAt) {
                world.chronicle.fail(.oneHandler, "message \(message) \(complaint)")
            }
        }
        // A paused process hears of the time-out when it goes on.
        if node.pausedUntil == nil, world.now > max(waited.sentAt, node.resumedAt) + world.times.reply {
            world.chronicle.fail(
                .onTime, "message \(message) ended only after \((world.now - waited.sentAt).inSeconds) s")
        }
    }

    /// Returns the reason why a message cannot have failed this way; nil if it can.
    private func complaint(about failure: MessageFailure, _ waited: Waiting, after span: Duration) -> String? {
        switch failure {
        case .timedOut: span < world.times.reply ? "timed out after \(span.inSeconds) s" : nil
        case .connectionLost(let reason):
            lostAt == world.now && !reason.isEmpty ? nil : "failed, as its connection was lost: \(reason)"
        case .answered(let code, let reason):
            code == SessionErrorCode.notReachable.rawValue && reason?.isEmpty == false
                ? nil : "failed with the code \(code as Any) and the reason \(reason ?? "")"
        case .notReachable: nil
        // A quiz is sent again when its app runs again, while the attempt before waits for its reply.
        case .underWay: waited.isQuiz ? nil : "failed, as it was in flight already"
        // No world sends so much.
        case .tooMany, .queueFull, .tooLong: "failed: \(failure)"
        }
    }

    // MARK: - Transfers

    func queue(_ transfer: UUID, _ kind: TransferKind, to peer: UUID, size: Int64 = 0) {
        let file = kind == .file ? FileStamp(path: "/file", size: size, modified: 0, inode: 0) : nil
        var outgoing = OutgoingTransfer(
            identifier: transfer, peer: peer, kind: kind, payload: nil, file: file, queuedAt: node.wallClock)
        commit(node.session) { [outgoing] in
            $0.queue(outgoing)
        } _: { [self] queued in
            guard let (position, replaced) = queued else { return }
            trace { "queues \(kind.rawValue) \(world.name(transfer))" }
            world.chronicle.queued(transfer)
            outgoing.position = position
            act { $0.queued(outgoing, replacing: replaced, at: $1) }
        }
    }

    func cancel(_ transfer: UUID) {
        guard act({ $0.cancelled(transfer, at: $1) }) != nil else { return }
        trace { "cancels \(world.name(transfer))" }
        world.chronicle.cancelled(transfer)
    }
}
