import DeviceEngine
import DeviceShell
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
        lint?.noteActivity()
        tap.note(
            handlers.kind.call, .call, identifier, payload, isData: handlers.kind == .data,
            wantsReply: handlers.reply != nil, of: device, at: .now)
        do throws(WCError) {
            try checkSize(payload, handlers.kind, identifier)
            let (shell, target) = try messageTarget(device)
            if let failure = failure(of: .message, identifier) { throw failure }
            outstanding.add(1)
            shell.send(
                OutgoingMessage(
                    identifier: identifier, payload: payload, device: target, handlers: UncheckedBox(handlers),
                    time: Date()))
        } catch {
            fail(identifier, error, handlers)
        }
    }

    private func messageTarget(_ device: UUID?) throws(WCError) -> (DeviceShell, UUID) {
        // All conditions are checked under one lock; a refused caller gets the specific error below.
        let found = state.withLock { state -> (DeviceShell, UUID)? in
            guard state.delegate.value != nil, let shell = state.shell, let target = state.reachableTarget(device)
            else { return nil }
            return (shell, target)
        }
        if let found { return found }
        try checkActivation()
        if role == .host { _ = try companion(device) }
        if role == .companion, presence?.isPhoneAppInstalled == false { throw WCError(.companionAppNotInstalled) }
        throw WCError(.notReachable)
    }

    /// Returns the configuration; throws if this process is not a device.
    private func checkSupport() throws(WCError) -> DeviceConfiguration {
        guard let configuration else { throw WCError(.sessionNotSupported, reason: configurationError) }
        return configuration
    }

    /// Encodes a dictionary for sending.
    func payload(_ dictionary: [String: Any]) throws(WCError) -> Data {
        _ = try checkSupport()
        return try MessagePayload.data(dictionary)
    }

    /// Throws an error unless the session can be used to send.
    func checkActivation() throws(WCError) {
        _ = try checkSupport()
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
        let limit = try checkSupport().payloads.limit(kind)
        guard payload.count <= limit else {
            throw WCError(.payloadTooLarge, reason: "\(payload.count) bytes; the limit is \(limit)")
        }
        if payload.count > limit / 10 * 9 {
            hints.give(.payloadNearLimit, [.package(identifier), .kind(kind.rawValue), .bytes(payload.count)])
        }
    }

    /// Fails a message that never reached the link.
    func fail(_ identifier: UUID, _ error: WCError, _ handlers: MessageHandlers) {
        if burst.withLock({ $0.failed(at: .now) }) { hints.give(.failingWithoutPause, [.package(identifier)]) }
        report(identifier, error, UncheckedBox(handlers))
    }

    func failed(_ message: UUID, _ failure: MessageFailure, _ handlers: UncheckedBox<MessageHandlers>) {
        outstanding.add(-1)
        report(message, WCError(failure, times: configuration?.times ?? LinkTimes()), handlers)
    }

    func abandoned(_ message: UUID, _ handlers: UncheckedBox<MessageHandlers>) {
        outstanding.add(-1)
        report(message, WCError(.sessionInactive, reason: "the phone is switching to another watch"), handlers)
    }

    /// Handles a message whose app ended before the result.
    func dropped(_ identifier: UUID, _ handlers: UncheckedBox<MessageHandlers>) {
        outstanding.add(-1)
        let reason = "the app ended before the reply arrived"
        logger.log(.messageFailed, [.package(identifier), .reason(reason)])
        note(identifier, .outgoing, handlers.value.kind, .failed, cause: reason)
    }

    private func report(_ identifier: UUID, _ error: WCError, _ handlers: UncheckedBox<MessageHandlers>) {
        logger.log(.messageFailed, [.package(identifier), .reason(error.localizedDescription)])
        note(identifier, .outgoing, handlers.value.kind, .failed, cause: error.localizedDescription)
        if handlers.value.error == nil { hints.give(.noErrorHandler, [.package(identifier)]) }
        queue.enqueue { [self] in
            calling(.errorHandler, identifier, with: .error(error.errorCode)) {
                handlers.value.error?(error)
            }
        }
    }

    // MARK: - Receiving

    private func give(_ message: IncomingMessage, to session: WCSession, _ delegate: any WCSessionDelegate) {
        let package = message.package
        logger.log(.messageReceived, [.package(package.identifier), .command(package.command.rawValue)])
        let isImplemented: Bool
        do throws(WCError) {
            let device = session.counterpart?.identifier
            isImplemented = try calling(with: package, of: device) { () throws(WCError) in
                try call(delegate, message, session)
            }
            if isImplemented,
                case .duplicate = meet(.given(.message), of: package.identifier, [.package(package.identifier)])
            {
                try calling(with: package, of: device) { () throws(WCError) in
                    try call(delegate, message, session, isDuplicate: true)
                }
            }
        } catch {
            return answer(message, failure: error)
        }
        guard isImplemented else {
            logger.log(.delegateMethodMissing, [.package(package.identifier), .command(package.command.rawValue)])
            let reason = "the counterpart's delegate does not implement the method"
            return answer(message, failure: WCError(.deliveryFailed, reason: reason))
        }
        if !package.wantsReply { answer(message, reply: nil) }
    }

    /// Calls the delegate with a message.
    ///
    /// - Returns: `true` if the delegate implements the method.
    @discardableResult
    private func calling(
        with package: MessagePackage, of device: UUID?, _ body: () throws(WCError) -> Void
    ) throws(WCError) -> Bool {
        // A message without a payload is given as an empty one.
        try calling(
            DelegateMethod(package), of: package.identifier, with: package.dataPackage ?? Data(),
            isData: package.command == .sendMessageData, wantsReply: package.wantsReply, from: device, body)
    }

    private func call(
        _ delegate: any WCSessionDelegate, _ message: IncomingMessage, _ session: WCSession, isDuplicate: Bool = false
    ) throws(WCError) {
        let package = message.package
        // The reply to a duplicate is dropped.
        let answer: (Result<Data, WCError>) -> Void = isDuplicate ? { _ in } : { [self] in self.answer(message, $0) }
        let payload = package.dataPackage ?? Data()
        guard package.command == .sendMessage else {
            guard package.wantsReply else { return delegate.session(session, didReceiveMessageData: payload) }
            return delegate.session(session, didReceiveMessageData: payload) { answer(.success($0)) }
        }
        let dictionary = try MessagePayload.dictionary(payload)
        guard package.wantsReply else { return delegate.session(session, didReceiveMessage: dictionary) }
        delegate.session(session, didReceiveMessage: dictionary) { reply in
            answer(Result { () throws(WCError) in try MessagePayload.data(reply) })
        }
    }

    // MARK: - Answering

    /// Claims the answer to a message; returns `true` once.
    private func takeAnswer(_ message: IncomingMessage) -> Bool {
        guard message.takeAnswer() else {
            logger.log(.replyRepeated, [.package(message.package.identifier)])
            hints.give(.replyRepeated, [.package(message.package.identifier)])
            return false
        }
        if message.package.wantsReply { closeReply() }
        return true
    }

    private func closeReply() {
        openReplies.add(-1)
        drainIfDone()
    }

    /// Logs a reply that can never be sent. As on Apple's devices, the sender times out.
    func unanswerable(_ package: MessagePackage) {
        guard package.wantsReply else { return }
        tap.note(DeviceEvent("replyHandlerDropped", .answered, package.identifier))
        closeReply()
        logger.log(.replyDropped, [.package(package.identifier)])
        hints.give(.replyDropped, [.package(package.identifier)])
        let kind = TransferKind(package.command) ?? .message
        note(package.identifier, .incoming, kind, .failed, cause: "the delegate never called the reply handler")
    }

    private func answer(_ message: IncomingMessage, _ reply: Result<Data, WCError>) {
        switch reply {
        case .success(let data):
            let kind = TransferKind(message.package.command) ?? .data
            tap.note("reply", .answered, message.package.identifier, data, isData: kind == .data, at: .now)
            answer(message, reply: data)
        case .failure(let error):
            tap.note(
                DeviceEvent(
                    "reply", .answered, message.package.identifier, .error(error.errorCode)))
            answer(message, failure: error)
        }
    }

    private func answer(_ message: IncomingMessage, reply: Data?) {
        let limit = configuration?.payloads.message ?? 0
        if let reply, reply.count > limit {
            let reason = "a reply of \(reply.count) bytes; the limit is \(limit)"
            return answer(message, failure: WCError(.messageReplyFailed, reason: reason))
        }
        guard takeAnswer(message) else { return }
        shell?.answer(message, .reply(reply))
    }

    private func answer(_ message: IncomingMessage, failure: WCError) {
        guard takeAnswer(message) else { return }
        shell?.answer(message, .failure(failure.sessionCode, reason: failure.reason))
    }

    // MARK: - Ledger

    func note(
        _ identifier: UUID, _ direction: LedgerEntry.Direction, _ kind: TransferKind, _ state: LedgerEntry.State,
        cause: String? = nil
    ) {
        shell?.home.ledger.note(
            LedgerNote(identifier, direction, kind, device: nil, state, at: Date(), cause: cause))
    }
}

extension SessionCore: DelegateQueuePerformer {
    func perform(_ message: IncomingMessage) {
        if let (session, delegate, hasRounds) = callee(for: message.device.identifier) {
            give(message, to: session, delegate)
            // Messages that are processed at the end of the round are handled then.
            if hasRounds { return round.withLock { $0.append(message) } }
        } else {
            logger.log(.delegateMissing, [.package(message.package.identifier)])
            answer(message, failure: WCError(.deliveryFailed, reason: "the counterpart has no delegate"))
        }
        if message.takeHandled() { shell?.handled(message) }
    }

    /// Returns the device's session, the delegate, and whether the delegate processes rounds.
    private func callee(for device: UUID) -> (WCSession, any WCSessionDelegate, Bool)? {
        // One lock if the device's session exists; otherwise it is created.
        let (known, delegate, hasRounds) = state.withLock {
            ($0.sessions[device], $0.delegate.value, $0.delegate.hasRounds)
        }
        guard let delegate, let session = known ?? session(for: device) else { return nil }
        return (session, delegate, hasRounds)
    }

    func perform(_ reply: Data, to identifier: UUID, _ handlers: UncheckedBox<MessageHandlers>) {
        switch handlers.value.reply {
        case nil: break
        case .data(let handler):
            calling(.replyHandler, of: identifier, with: reply, isData: true) { handler(reply) }
        case .dictionary(let handler):
            do {
                let dictionary = try MessagePayload.dictionary(reply)
                calling(.replyHandler, of: identifier, with: reply, isData: false) { handler(dictionary) }
            } catch {
                report(identifier, WCError(.messageReplyFailed, reason: "\(error)"), handlers)
            }
        }
    }

    func discard(_ message: IncomingMessage) {
        answer(message, failure: WCError(.notReachable, reason: "the counterpart's app ended"))
    }

    func batched(_ body: () -> Void) {
        guard let shell else { return body() }
        shell.writeBatched(body)
    }

    func endRound() {
        let (delegate, shell) = state.withLock { ($0.delegate.hasRounds ? $0.delegate.value : nil, $0.shell) }
        let messages = round.withLock { messages in
            defer { messages.removeAll() }
            return messages
        }
        (delegate as? any RoundDelegate)?.sessionsDidEndRound()
        // Messages that were answered in the round are already handled.
        let open = messages.filter { $0.takeHandled() }
        guard !open.isEmpty else { return }
        batched { for message in open { shell?.handled(message) } }
    }

    func becameIdle() {
        drainIfDone()
        AppDefaults.write()
        logger.log(.delegateQueueIdle)
    }
}
