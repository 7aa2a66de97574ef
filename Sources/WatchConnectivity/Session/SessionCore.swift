import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking

/// What stands behind a session: its state, and the way between the application's threads, the delegate queue and the loop.
final class SessionCore: Sendable {
    private struct State {
        var activation = WCSessionActivationState.notActivated
        var isActivating = false
        var delegate = WeakDelegate(value: nil)
        var driver: SessionDriver?
        /// Sessions of the connected devices, the latest last.
        var peers: [(device: Device, session: WCSession)] = []
        var undelivered = 0
        var outstanding = 0
        /// Set by a default implementation of the delegate's methods while it is called.
        var isMethodMissing = false
    }

    private struct Owner: @unchecked Sendable {
        // Proof: the runtime guards a weak reference, and a session may be used from any thread.
        weak var session: WCSession?
    }

    private let configuration: DeviceConfiguration?
    private let state = Mutex(State())
    private let owner = Mutex(Owner(session: nil))
    private let queue = DelegateQueue()
    let observers = ObserverList()

    var logger: Logger { configuration?.logger ?? .silent }

    init(_ configuration: DeviceConfiguration?) { self.configuration = configuration }

    /// The session that the application holds; those of single devices come and go.
    func attach(_ session: WCSession) { owner.withLock { $0.session = session } }

    // MARK: - State

    var delegate: (any WCSessionDelegate)? {
        get { state.withLock { $0.delegate }.value }
        set {
            let delegate = WeakDelegate(value: newValue)
            state.withLock { $0.delegate = delegate }
        }
    }

    var activationState: WCSessionActivationState { state.withLock { $0.activation } }
    var hasContentPending: Bool { state.withLock { $0.undelivered > 0 } }
    var connectedDevices: [Device] { state.withLock { $0.peers.map(\.device) } }
    var outstandingMessages: Int { state.withLock { $0.outstanding } }

    func isReachable(_ device: UUID?) -> Bool {
        state.withLock { state in
            guard state.activation == .activated else { return false }
            return device.map { wanted in state.peers.contains { $0.device.identifier == wanted } } ?? !state.peers
                .isEmpty
        }
    }

    // MARK: - Activation

    func activate() {
        guard let configuration else {
            return activationEnded(WCError(.sessionNotSupported))
        }
        guard delegate != nil else { return logger.log(.delegateMissing, [.reason("activate() without a delegate")]) }
        let isFirst = state.withLock { state in
            defer { state.isActivating = true }
            return !state.isActivating
        }
        // Calling it again is tolerated, and answered as the first call was.
        guard isFirst else {
            if activationState == .activated { activationEnded(nil) }
            return
        }
        do {
            let driver = try SessionDriver(configuration, core: self)
            state.withLock { $0.driver = driver }
            driver.start()
        } catch {
            state.withLock { $0.isActivating = false }
            activationEnded(error)
        }
    }

    /// The link is up, or could not be put up.
    func activationEnded(_ error: (any Error)?) {
        let isNew = state.withLock { state in
            guard error == nil else {
                state.isActivating = false
                return false
            }
            defer { state.activation = .activated }
            return state.activation != .activated
        }
        if let error {
            logger.log(.sessionActivationFailed, [.error(error)])
        } else if isNew {
            logger.log(
                .sessionActivated,
                configuration.map { [.device($0.device.identifier), .role($0.device.role.rawValue)] } ?? [])
        }
        let outcome = UncheckedBox(error)
        queue.enqueue { [self] in
            guard let session = owner.withLock({ $0.session }) else { return }
            if isNew {
                observers.changed(
                    \WCSession.activationState, of: session, from: WCSessionActivationState.notActivated,
                    to: WCSessionActivationState.activated)
            }
            delegate?.session(session, activationDidCompleteWith: activationState, error: outcome.value)
        }
    }

    func shutDown(_ reason: String, completion: @escaping @Sendable () -> Void) {
        guard let driver = state.withLock({ $0.driver }) else { return completion() }
        driver.stop(reason, completion: completion)
    }

    // MARK: - Sending

    func send(_ command: Command, _ payload: Data, identifier: UUID, to device: UUID?, _ handlers: MessageHandlers) {
        let (activation, driver, target) = state.withLock { state in
            (state.activation, state.driver, device ?? state.peers.last?.device.identifier)
        }
        guard activation == .activated, let driver else {
            return fail(identifier, WCError(.sessionNotActivated), handlers)
        }
        guard payload.count <= LinkLimits.messageBytes else {
            let reason = "\(payload.count) bytes; the limit is \(LinkLimits.messageBytes)"
            return fail(identifier, WCError(.payloadTooLarge, reason: reason), handlers)
        }
        guard let target, isReachable(target) else { return fail(identifier, WCError(.notReachable), handlers) }
        let package = MessagePackage(
            identifier: identifier, command: command, status: .sent, dataPackage: payload,
            wantsReply: handlers.reply != nil, timestamp: Date())
        state.withLock { $0.outstanding += 1 }
        driver.send(package, to: target, UncheckedBox(handlers))
    }

    /// Ends a message that never got as far as the link.
    func fail(_ identifier: UUID, _ error: WCError, _ handlers: MessageHandlers) {
        report(identifier, error, UncheckedBox(handlers))
    }

    /// The message is over: with a reply, or with nothing where none was wanted.
    func finished(_ identifier: UUID, _ handlers: UncheckedBox<MessageHandlers>, reply: Data?) {
        state.withLock { $0.outstanding -= 1 }
        guard let handler = handlers.value.reply else { return }
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
                report(identifier, WCError(.messageReplyFailed, reason: "\(error)"), handlers)
            }
        }
    }

    func failed(_ identifier: UUID, _ error: WCError, _ handlers: UncheckedBox<MessageHandlers>) {
        state.withLock { $0.outstanding -= 1 }
        report(identifier, error, handlers)
    }

    private func report(_ identifier: UUID, _ error: WCError, _ handlers: UncheckedBox<MessageHandlers>) {
        logger.log(.messageFailed, [.package(identifier), .reason(error.localizedDescription)])
        queue.enqueue { handlers.value.error?(error) }
    }

    // MARK: - Receiving

    func connected(_ device: Device) {
        let session = WCSession(core: self, counterpart: device)
        state.withLock { $0.peers.append((device, session)) }
        reachabilityChanged(session, true)
    }

    func disconnected(_ device: Device) {
        let session = state.withLock { state -> WCSession? in
            guard let index = state.peers.firstIndex(where: { $0.device.identifier == device.identifier }) else {
                return nil
            }
            return state.peers.remove(at: index).session
        }
        if let session { reachabilityChanged(session, false) }
    }

    private func reachabilityChanged(_ peer: WCSession, _ isReachable: Bool) {
        logger.log(
            .reachabilityChanged, (peer.counterpart.map { [.device($0.identifier)] } ?? []) + [.reachable(isReachable)])
        let role = configuration?.device.role
        queue.enqueue { [self] in
            // A watch has one phone: its delegate knows the session that it activated, and no other.
            guard let session = role == .host ? peer : owner.withLock({ $0.session }) else { return }
            observers.changed(\WCSession.isReachable, of: session, from: !isReachable, to: isReachable)
            delegate?.sessionReachabilityDidChange(session)
        }
    }

    /// Gives a message to the delegate. `handled` is called when the delegate has had it.
    func deliver(_ package: MessagePackage, from device: Device, handled: @escaping @Sendable () -> Void) {
        let (isFirst, peer) = state.withLock { state in
            state.undelivered += 1
            return (state.undelivered == 1, state.peers.last { $0.device.identifier == device.identifier }?.session)
        }
        let role = configuration?.device.role
        queue.enqueue { [self] in
            let owner = owner.withLock { $0.session }
            if isFirst, let owner { observers.changed(\WCSession.hasContentPending, of: owner, from: false, to: true) }
            if let session = role == .host ? peer ?? owner : owner { give(package, to: session, from: device) }
            let isLast = state.withLock { state in
                state.undelivered -= 1
                return state.undelivered == 0
            }
            if isLast, let owner { observers.changed(\WCSession.hasContentPending, of: owner, from: true, to: false) }
            handled()
        }
    }

    private func give(_ package: MessagePackage, to session: WCSession, from device: Device) {
        logger.log(.messageReceived, [.package(package.identifier), .command(package.command.rawValue)])
        guard let delegate else {
            logger.log(.delegateMissing, [.package(package.identifier)])
            return answer(package, device, failure: WCError(.deliveryFailed, reason: "the counterpart has no delegate"))
        }
        state.withLock { $0.isMethodMissing = false }
        do throws(WCError) {
            try call(delegate, package, session, device)
        } catch {
            return answer(package, device, failure: error)
        }
        if state.withLock({ $0.isMethodMissing }) {
            logger.log(.delegateMethodMissing, [.package(package.identifier), .command(package.command.rawValue)])
            answer(
                package, device,
                failure: WCError(.deliveryFailed, reason: "the counterpart's delegate lacks the method"))
        } else if !package.wantsReply {
            answer(package, device, reply: nil)
        }
    }

    private func call(
        _ delegate: any WCSessionDelegate, _ package: MessagePackage, _ session: WCSession, _ device: Device
    ) throws(WCError) {
        let payload = package.dataPackage ?? Data()
        switch package.command {
        case .sendMessage:
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
        case .sendMessageData:
            guard package.wantsReply else { return delegate.session(session, didReceiveMessageData: payload) }
            let token = token(for: package)
            delegate.session(session, didReceiveMessageData: payload) { [self] reply in
                if isFirstUse(of: token, package) { answer(package, device, reply: reply) }
            }
        case .updateApplicationContext, .transferUserInfo, .transferCurrentComplicationUserInfo, .transferFile, .hello,
            .heartbeat, .goodbye:
            throw WCError(.deliveryFailed, reason: "the counterpart does not take \(package.command.rawValue)")
        }
    }

    func delegateMethodIsMissing() { state.withLock { $0.isMethodMissing = true } }

    // MARK: - Answering

    private func token(for package: MessagePackage) -> ReplyToken {
        // A reply that never comes is the sender's time-out, as on Apple's devices; here it is at least said.
        ReplyToken { [weak self] in
            guard let self, !state.withLock({ $0.isMethodMissing }) else { return }
            logger.log(.replyDropped, [.package(package.identifier)])
        }
    }

    private func isFirstUse(of token: ReplyToken, _ package: MessagePackage) -> Bool {
        let isFirst = token.use()
        if !isFirst { logger.log(.replyRepeated, [.package(package.identifier)]) }
        return isFirst
    }

    private func answer(_ package: MessagePackage, _ device: Device, reply: Data?) {
        if let reply, reply.count > LinkLimits.messageBytes {
            let reason = "a reply of \(reply.count) bytes; the limit is \(LinkLimits.messageBytes)"
            return answer(package, device, failure: WCError(.messageReplyFailed, reason: reason))
        }
        answer(
            MessagePackage(
                identifier: UUID(), command: package.command, status: .replied, dataPackage: reply,
                answers: package.identifier, timestamp: Date()), device)
    }

    private func answer(_ package: MessagePackage, _ device: Device, failure: WCError) {
        let reason = failure._nsError.localizedFailureReason ?? failure.localizedDescription
        answer(
            MessagePackage(
                identifier: UUID(), command: package.command, status: .failed, errorMessage: reason,
                errorCode: failure.errorCode, answers: package.identifier, timestamp: Date()), device)
    }

    private func answer(_ package: MessagePackage, _ device: Device) {
        state.withLock { $0.driver }?.answer(package, to: device)
    }
}
