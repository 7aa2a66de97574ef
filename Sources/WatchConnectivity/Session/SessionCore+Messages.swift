import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import Metrics

/// Interactive messages: from the application to the loop, and from the loop to the delegate.
extension SessionCore {
    // MARK: - Sending

    func send(_ payload: Data, identifier: UUID, to device: UUID?, _ handlers: MessageHandlers) {
        do throws(WCError) {
            try checkSize(payload, handlers.kind, identifier)
            let (driver, target) = try messageTarget(device)
            let package = MessagePackage(
                identifier: identifier, command: handlers.kind.command, status: .sent, dataPackage: payload,
                wantsReply: handlers.reply != nil, timestamp: Date())
            state.withLock { $0.outstanding += 1 }
            driver.send(package, to: target, UncheckedBox(handlers))
        } catch {
            fail(identifier, error, handlers)
        }
    }

    private func messageTarget(_ device: UUID?) throws(WCError) -> (SessionDriver, UUID) {
        try checkActivation()
        if let target = reachableTarget(device), let driver { return (driver, target) }
        if role == .host { _ = try companion(device) }
        if role == .companion, presence?.isPhoneAppInstalled == false { throw WCError(.companionAppNotInstalled) }
        throw WCError(.notReachable)
    }

    /// Whether the session may be used to send.
    func checkActivation() throws(WCError) {
        let (activation, isDeactivated) = state.withLock {
            ($0.presence?.activation ?? .notActivated, $0.isDeactivated)
        }
        switch activation {
        case .activated: break
        case .inactive: throw WCError(.sessionInactive)
        case .notActivated:
            hints.give(isDeactivated ? .notReactivated : .sendBeforeActivation)
            throw WCError(.sessionNotActivated)
        }
        guard delegate != nil else { throw WCError(.sessionMissingDelegate) }
    }

    func checkSize(_ payload: Data, _ kind: TransferKind, _ identifier: UUID) throws(WCError) {
        let limit = configuration?.payloads.limit(kind) ?? 0
        guard payload.count <= limit else {
            throw WCError(.payloadTooLarge, reason: "\(payload.count) bytes; the limit is \(limit)")
        }
        if payload.count > limit / 10 * 9 {
            hints.give(.payloadNearLimit, [.package(identifier), .kind(kind.rawValue), .bytes(payload.count)])
        }
    }

    /// Ends a message that never got as far as the link.
    func fail(_ identifier: UUID, _ error: WCError, _ handlers: MessageHandlers) {
        report(identifier, error, UncheckedBox(handlers))
    }

    /// The message is over: with a reply, or with nothing where none was wanted.
    func finished(_ identifier: UUID, _ handlers: UncheckedBox<MessageHandlers>, reply: Data?) {
        state.withLock { $0.outstanding -= 1 }
        guard let handler = handlers.value.reply else {
            return note(identifier, .outgoing, handlers.value.kind, .delivered)
        }
        let data = reply ?? Data()
        switch handler {
        case .data(let handler):
            let box = UncheckedBox(handler)
            queue.enqueue { box.value(data) }
        case .dictionary(let handler):
            do {
                let dictionary = UncheckedBox(try MessagePayload.dictionary(data))
                let box = UncheckedBox(handler)
                queue.enqueue { box.value(dictionary.value) }
            } catch {
                return report(identifier, WCError(.messageReplyFailed, reason: "\(error)"), handlers)
            }
        }
        let seconds = (MonotonicTime.now - handlers.value.start).inSeconds
        SessionMetrics.replySeconds.observe(seconds, handlers.value.kind.rawValue)
        note(identifier, .outgoing, handlers.value.kind, .replied)
    }

    func failed(_ identifier: UUID, _ error: WCError, _ handlers: UncheckedBox<MessageHandlers>) {
        state.withLock { $0.outstanding -= 1 }
        report(identifier, error, handlers)
    }

    /// The app that waited for the end of a message is gone.
    func dropped(_ identifier: UUID, _ handlers: UncheckedBox<MessageHandlers>) {
        state.withLock { $0.outstanding -= 1 }
        let reason = "the app ended before the message did"
        logger.log(.messageFailed, [.package(identifier), .reason(reason)])
        note(identifier, .outgoing, handlers.value.kind, .failed, cause: reason)
    }

    private func report(_ identifier: UUID, _ error: WCError, _ handlers: UncheckedBox<MessageHandlers>) {
        logger.log(.messageFailed, [.package(identifier), .reason(error.localizedDescription)])
        note(identifier, .outgoing, handlers.value.kind, .failed, cause: error.localizedDescription)
        if handlers.value.error == nil { hints.give(.noErrorHandler, [.package(identifier)]) }
        queue.enqueue { handlers.value.error?(error) }
    }

    // MARK: - Receiving

    /// Gives a message to the delegate. `handled` is called when the delegate has had it.
    func deliver(_ package: MessagePackage, from device: Device, handled: @escaping @Sendable () -> Void) {
        noteIncoming(package, device, .received)
        let discard: @Sendable () -> Void = { [self] in
            answer(package, device, failure: WCError(.notReachable, reason: "the counterpart's app ended"))
            handled()
        }
        queue.enqueue(discard: discard) { [self] in
            if let session = session(for: device.identifier) { give(package, to: session, from: device) }
            handled()
        }
    }

    /// Answers a message that the delegate is not shown.
    func refuse(_ package: MessagePackage, _ device: Device, _ error: WCError) {
        noteIncoming(package, device, .received)
        answer(package, device, failure: error)
    }

    private func give(_ package: MessagePackage, to session: WCSession, from device: Device) {
        logger.log(.messageReceived, [.package(package.identifier), .command(package.command.rawValue)])
        guard let delegate else {
            logger.log(.delegateMissing, [.package(package.identifier)])
            return answer(package, device, failure: WCError(.deliveryFailed, reason: "the counterpart has no delegate"))
        }
        let isImplemented: Bool
        do throws(WCError) {
            isImplemented = try calling { () throws(WCError) in try call(delegate, package, session, device) }
        } catch {
            return answer(package, device, failure: error)
        }
        if !isImplemented {
            logger.log(.delegateMethodMissing, [.package(package.identifier), .command(package.command.rawValue)])
            answer(
                package, device,
                failure: WCError(.deliveryFailed, reason: "the counterpart's delegate lacks the method"))
        } else {
            noteIncoming(package, device, .delivered)
            if !package.wantsReply { answer(package, device, reply: nil) }
        }
    }

    private func call(
        _ delegate: any WCSessionDelegate, _ package: MessagePackage, _ session: WCSession, _ device: Device
    ) throws(WCError) {
        let payload = package.dataPackage ?? Data()
        guard package.command == .sendMessage else {
            guard package.wantsReply else { return delegate.session(session, didReceiveMessageData: payload) }
            let token = token(for: package)
            return delegate.session(session, didReceiveMessageData: payload) { [self] reply in
                if isFirstUse(of: token, package) { answer(package, device, reply: reply) }
            }
        }
        let message = try MessagePayload.dictionary(payload)
        guard package.wantsReply else { return delegate.session(session, didReceiveMessage: message) }
        let token = token(for: package)
        delegate.session(session, didReceiveMessage: message) { [self] reply in
            guard isFirstUse(of: token, package) else { return }
            do throws(WCError) {
                answer(package, device, reply: try MessagePayload.data(reply))
            } catch {
                answer(package, device, failure: error)
            }
        }
    }

    /// Calls a method of the delegate. On the delegate queue.
    ///
    /// - Returns: Whether the delegate has it.
    func calling<Failure: Error>(_ method: () throws(Failure) -> Void) throws(Failure) -> Bool {
        state.withLock { $0.isMethodMissing = false }
        try method()
        return !state.withLock { $0.isMethodMissing }
    }

    func delegateMethodIsMissing() { state.withLock { $0.isMethodMissing = true } }

    // MARK: - Answering

    private func token(for package: MessagePackage) -> ReplyToken {
        state.withLock { $0.openReplies += 1 }
        // A reply that never comes is the sender's time-out, as on Apple's devices; here it is at least said.
        return ReplyToken { [weak self] in
            guard let self else { return }
            closeReply()
            guard !state.withLock({ $0.isMethodMissing }) else { return }
            logger.log(.replyDropped, [.package(package.identifier)])
            hints.give(.replyDropped, [.package(package.identifier)])
            let kind = TransferKind(package.command) ?? .message
            note(package.identifier, .incoming, kind, .failed, cause: "the delegate dropped the reply handler")
        }
    }

    private func isFirstUse(of token: ReplyToken, _ package: MessagePackage) -> Bool {
        let isFirst = token.use()
        if isFirst { closeReply() } else { logger.log(.replyRepeated, [.package(package.identifier)]) }
        return isFirst
    }

    private func closeReply() {
        state.withLock { $0.openReplies -= 1 }
        drainIfDone()
    }

    private func answer(_ package: MessagePackage, _ device: Device, reply: Data?) {
        let limit = configuration?.payloads.message ?? 0
        if let reply, reply.count > limit {
            let reason = "a reply of \(reply.count) bytes; the limit is \(limit)"
            return answer(package, device, failure: WCError(.messageReplyFailed, reason: reason))
        }
        if package.wantsReply { noteIncoming(package, device, .replied) }
        driver?.answer(
            MessagePackage(
                identifier: .random(), command: package.command, status: .replied, dataPackage: reply,
                answers: package.identifier, timestamp: Date()), to: device)
    }

    private func answer(_ package: MessagePackage, _ device: Device, failure: WCError) {
        noteIncoming(package, device, .failed, cause: failure.reason)
        driver?.answer(
            MessagePackage(
                identifier: .random(), command: package.command, status: .failed, errorMessage: failure.reason,
                errorCode: failure.errorCode, answers: package.identifier, timestamp: Date()), to: device)
    }

    // MARK: - Ledger

    private func noteIncoming(
        _ package: MessagePackage, _ device: Device, _ state: LedgerEntry.State, cause: String? = nil
    ) {
        guard let kind = TransferKind(package.command) else { return }
        parts?.ledger.note(
            package.identifier, .incoming, kind, device: device.identifier, bytes: package.dataPackage?.count ?? 0,
            state, cause: cause)
    }

    func note(
        _ identifier: UUID, _ direction: LedgerEntry.Direction, _ kind: TransferKind, _ state: LedgerEntry.State,
        cause: String? = nil
    ) {
        parts?.ledger.note(identifier, direction, kind, device: nil, state, cause: cause)
    }
}
