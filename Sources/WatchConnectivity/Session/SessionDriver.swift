import EventLog
import Foundation
import KeyedArchive
import LinkProtocol
import LinkTransport
import Locking
import Storage

/// The session's part on the loop: carries out the machines of presence and delivery, keeps the handlers, holds back the peer
/// whose messages the delegate has not handled.
// Proof of `@unchecked Sendable`: all mutable state is used on the loop's thread only, where every public method moves first.
final class SessionDriver: @unchecked Sendable {
    private struct Peer {
        var deliveries: DeliveryStateMachine
        var undeliveredMessages = 0
        var undeliveredBytes = 0
        var isReading = true
    }

    private let loop: EventLoop
    private let endpoint: any LinkEndpoint
    private let parts: SessionParts
    private let times: LinkTimes
    private let logger: Logger
    private weak var core: SessionCore?
    private var presence: PresenceStateMachine
    private var peers: [UUID: Peer] = [:]
    private var handlers: [UUID: UncheckedBox<MessageHandlers>] = [:]
    private var timer: (identifier: EventLoop.TimerIdentifier, time: MonotonicTime)?

    init(
        _ configuration: DeviceConfiguration, _ presence: PresenceStateMachine, _ parts: SessionParts, core: SessionCore
    ) throws {
        loop = try EventLoop(name: "watchlink-link")
        times = configuration.times
        logger = configuration.logger
        self.presence = presence
        self.parts = parts
        self.core = core
        endpoint =
            switch configuration.device.role {
            case .host:
                LinkListener(
                    loop: loop, path: configuration.socketPath, device: configuration.device,
                    access: configuration.access, times: configuration.times, logger: configuration.logger)
            case .companion:
                LinkConnector(
                    loop: loop, path: configuration.socketPath, device: configuration.device,
                    times: configuration.times, backoff: configuration.reconnect, logger: configuration.logger)
            }
    }

    deinit { loop.stopLater() }

    // MARK: - From any thread

    func start() {
        loop.execute { [self] in
            do {
                endpoint.setState(presence.hello)
                try endpoint.start { [weak self] in self?.handle($0) }
                update { $0.activate() }
            } catch {
                core?.activationFailed(error)
            }
        }
    }

    func stop(_ reason: String, completion: @escaping @Sendable () -> Void) {
        loop.execute { [self] in endpoint.stop(reason) { completion() } }
    }

    func activate() { loop.execute { [self] in update { $0.activate() } } }

    func arrived(_ content: PresenceStateMachine.Content) {
        loop.execute { [self] in wake(for: content) }
    }

    /// Looks whether the app has done all that it was woken for.
    func drain() {
        loop.execute { [self] in
            guard presence.awaitsDrain, core?.isDrained == true else { return }
            update { $0.drained() }
        }
    }

    /// Waits until a change of presence is made. Not on the loop; the loop itself waits for nobody.
    func change(_ event: @escaping @Sendable (inout PresenceStateMachine) -> [PresenceStateMachine.Action]) {
        let done = DispatchSemaphore(value: 0)
        loop.execute { [self] in
            update(event)
            done.signal()
        }
        done.wait()
    }

    /// The same for a change that may be refused.
    func tryChange(
        _ event: @escaping @Sendable (inout PresenceStateMachine) throws(PairingError) -> [PresenceStateMachine.Action]
    ) throws(PairingError) {
        let failure = Failure()
        change { presence in
            do throws(PairingError) {
                return try event(&presence)
            } catch {
                failure.error = error
                return []
            }
        }
        if let error = failure.error { throw error }
    }

    // Proof: written before the semaphore is signalled, read after it was waited for.
    private final class Failure: @unchecked Sendable {
        var error: PairingError?
    }

    func setLinkUp(_ isUp: Bool) { loop.execute { [self] in endpoint.setUp(isUp) } }

    func send(_ package: MessagePackage, to device: UUID, _ handlers: UncheckedBox<MessageHandlers>) {
        loop.execute { [self] in transmit(package, to: device, handlers) }
    }

    func answer(_ package: MessagePackage, to device: Device) {
        loop.execute { [self] in transmitAnswer(package, to: device.identifier) }
    }

    /// Sends a package that no delivery machine watches.
    func post(_ package: MessagePackage, to device: UUID, onFailure: @escaping @Sendable (WCError) -> Void) {
        loop.execute { [self] in
            do throws(LinkSendError) {
                try endpoint.send(package, to: device)
            } catch {
                onFailure(Self.error(for: error))
            }
        }
    }

    // MARK: - Presence

    private func update(_ event: (inout PresenceStateMachine) -> [PresenceStateMachine.Action]) {
        let former = presence
        let actions = event(&presence)
        core?.presenceChanged(from: former, to: presence)
        endpoint.setState(presence.hello)
        for action in actions { perform(action) }
    }

    /// Most of what comes finds the app running, and changes nothing.
    private func wake(for content: PresenceStateMachine.Content) {
        if !presence.own.application.isRunning { update { $0.arrived(content) } }
    }

    private func perform(_ action: PresenceStateMachine.Action) {
        switch action {
        case .transfers(let device, let isAvailable):
            parts.transfers.availabilityChanged(isAvailable, of: device, for: peer(device))
        case .tell(let device, let state): tell(device, state)
        case .refuse(let device, let reason): endpoint.disconnect(device, reason)
        case .adopt(let device): parts.transfers.adopt(device)
        case .giveUpTransfers(let device, let isPaired):
            parts.transfers.giveUp(device, WCError(isPaired ? .watchAppNotInstalled : .deviceNotPaired))
        case .abandonMessages:
            for identifier in handlers.keys {
                end(identifier, WCError(.sessionInactive, reason: "the phone switches to another watch"))
            }
        case .dropHandlers:
            for (identifier, box) in handlers { core?.dropped(identifier, box) }
            handlers.removeAll()
        default: core?.perform(action)
        }
    }

    private func tell(_ device: UUID, _ state: DeviceState) {
        do {
            try endpoint.send(
                try MessagePackage(.state, content: state.entries, identifier: UUID(), timestamp: Date()), to: device)
        } catch {
            // A peer that cannot be told how this device is would act on what is no longer true.
            logger.log(.peerMisbehaved, [.device(device), .error(error)])
            endpoint.disconnect(device, "it does not read")
        }
    }

    /// The counterpart that a device stands for: a watch has one phone, whichever it is.
    private func peer(_ device: UUID) -> UUID { presence.role == .host ? device : .unknownPeer }

    // MARK: - Sending

    private func transmit(_ package: MessagePackage, to device: UUID, _ box: UncheckedBox<MessageHandlers>) {
        // In place: a machine that is taken out and put back would copy the tables of all its messages.
        switch peers[device]?.deliveries.send(package.identifier, wantsReply: package.wantsReply, at: .now) {
        case .transmit: break
        case nil:
            core?.failed(package.identifier, WCError(.notReachable), box)
            return
        case .refuseDuplicate:
            core?.failed(
                package.identifier, WCError(.deliveryFailed, reason: "this message is under way already"), box)
            return
        case .refuseFull:
            let reason = "\(LinkLimits.outstandingMessages) messages wait for a reply already"
            core?.failed(package.identifier, WCError(.deliveryFailed, reason: reason), box)
            return
        }
        handlers[package.identifier] = box
        do {
            try endpoint.send(package, to: device)
            logger.log(.messageSent, [.package(package.identifier), .command(package.command.rawValue)])
            parts.ledger.note(
                package.identifier, .outgoing, box.value.kind, device: device, bytes: package.dataPackage?.count ?? 0,
                .sent)
            rearm()
        } catch {
            _ = peers[device]?.deliveries.answered(package.identifier, with: .failed)
            end(package.identifier, Self.error(for: error))
        }
    }

    private static func error(for error: LinkSendError) -> WCError {
        switch error {
        case .notConnected: WCError(.notReachable)
        case .queueFull: WCError(.deliveryFailed, reason: "the counterpart does not read: too much waits for it")
        case .tooLong(let error): WCError(.payloadTooLarge, reason: "\(error)")
        }
    }

    private func transmitAnswer(_ package: MessagePackage, to device: UUID) {
        guard let message = package.answers else { return }
        do {
            guard try peers[device]?.deliveries.answering(message, with: package.status) == true else {
                logger.log(.replyTooLate, [.package(message), .reason("the sender's connection is gone")])
                return
            }
            try endpoint.send(package, to: device)
            logger.log(.messageReplied, [.package(message), .status(package.status.rawValue)])
        } catch {
            logger.log(.messageFailed, [.package(message), .reason("the answer was not sent: \(error)")])
        }
    }

    // MARK: - Receiving

    private func handle(_ event: LinkEvent) {
        switch event {
        case .connected(let device, let state, let said): connected(device, state, said)
        case .disconnected(let device, let reason): disconnected(device, reason)
        case .package(let package, let device, let bytes):
            guard peers[device.identifier] != nil else { return }
            received(package, from: device, bytes: bytes)
        }
    }

    private func connected(_ device: Device, _ state: DeviceState, _ said: DeviceState) {
        update { presence in
            let actions = presence.connected(device, state, said: said)
            if presence.peers[device.identifier] != nil {
                peers[device.identifier] = Peer(deliveries: DeliveryStateMachine(replyTimeout: times.reply))
                core?.connected(device)
            }
            return actions
        }
    }

    private func disconnected(_ device: Device, _ reason: String) {
        if var peer = peers.removeValue(forKey: device.identifier) {
            for identifier in peer.deliveries.connectionLost() {
                end(identifier, WCError(.notReachable, reason: "the connection was lost: \(reason)"))
            }
        }
        parts.receiver.disconnected(device.identifier)
        core?.disconnected(device)
        update { $0.disconnected(device.identifier) }
    }

    private func received(_ package: MessagePackage, from device: Device, bytes: Int) {
        if let message = package.answers {
            guard TransferKind(package.command)?.isBackground == true else {
                return answered(message, by: package, from: device)
            }
            return parts.transfers.ended(TransferCenter.Ending(message, package))
        }
        switch package.command {
        case .sendMessage, .sendMessageData: receivedMessage(package, from: device, bytes: bytes)
        case .updateApplicationContext, .transferUserInfo, .transferCurrentComplicationUserInfo, .transferFile,
            .fileChunk:
            // What this side does not take now its sender keeps, and sends again when it is told that it may.
            guard presence.accepts(device.identifier) else { return }
            receivedTransfer(package, from: device, bytes: bytes)
        case .state, .fileProgress, .cancel: receivedNews(package, from: device)
        case .hello, .heartbeat, .goodbye: break
        }
    }

    private func answered(_ message: UUID, by package: MessagePackage, from device: Device) {
        switch peers[device.identifier]?.deliveries.answered(message, with: package.status) {
        case .reply, .delivered: end(message, reply: package.dataPackage)
        case .fail:
            let code = package.errorCode.flatMap(WCError.Code.init(rawValue:)) ?? .genericError
            end(message, WCError(code, reason: package.errorMessage))
        case .tooLate: logger.log(.replyTooLate, [.package(message), .device(device.identifier)])
        case .unknown, nil: logger.log(.replyToNothing, [.package(message), .device(device.identifier)])
        case .illegal(let error):
            logger.log(.replyToNothing, [.package(message), .device(device.identifier), .error(error)])
        }
    }

    private func receivedMessage(_ package: MessagePackage, from device: Device, bytes: Int) {
        // A repeat of what the delegate has in hand is answered when that is.
        guard peers[device.identifier]?.deliveries.received(package.identifier) == true, let core else { return }
        guard presence.acceptsMessage(from: device.identifier) else {
            return core.refuse(
                package, device, WCError(.notReachable, reason: "the counterpart's app cannot be reached now"))
        }
        account(device.identifier, messages: 1, bytes: bytes)
        wake(for: .message)
        core.deliver(package, from: device) { [self] in
            loop.execute { [self] in account(device.identifier, messages: -1, bytes: -bytes) }
        }
    }

    private func receivedTransfer(_ package: MessagePackage, from device: Device, bytes: Int) {
        account(device.identifier, messages: 1, bytes: bytes)
        let identifier = device.identifier
        let peer = peer(identifier)
        let done: @Sendable () -> Void = { [self] in
            loop.execute { [self] in account(identifier, messages: -1, bytes: -bytes) }
        }
        guard let kind = TransferKind(package.command), kind != .file else {
            return package.command == .transferFile
                ? parts.receiver.offered(package, by: identifier, for: peer, done: done)
                : parts.receiver.received(package, from: identifier, for: peer, done: done)
        }
        let transfer = ReceivedTransfer(
            identifier: package.identifier, peer: peer, kind: kind, payload: package.dataPackage, receivedAt: Date())
        parts.inbox.arrived(transfer, bytes: package.dataPackage?.count ?? 0, from: identifier) { [self] answer in
            post(answer.package(package.identifier, package.command), to: identifier) { _ in }
            done()
        }
    }

    private func receivedNews(_ package: MessagePackage, from device: Device) {
        do throws(ProtocolError) {
            switch package.command {
            case .state:
                let state = try DeviceState(try package.content(.badState))
                update { $0.peerChanged(device.identifier, state) }
            case .fileProgress:
                let (transfer, offset) = try FilePackage.progress(in: package)
                parts.sender.progressed(transfer, to: offset, from: device.identifier)
            default:
                parts.receiver.cancelled(
                    try FilePackage.transfer(in: package), by: device.identifier, for: peer(device.identifier))
            }
        } catch {
            logger.log(.peerMisbehaved, [.device(device.identifier), .error(error)])
            endpoint.disconnect(device.identifier, "\(error)")
        }
    }

    /// Counts what has not been handled, and stops reading from a device that is too far ahead.
    private func account(_ device: UUID, messages: Int, bytes: Int) {
        guard var peer = peers[device] else { return }
        // A device that connected again starts from zero; what its former connection sent is counted down past it.
        peer.undeliveredMessages = max(0, peer.undeliveredMessages + messages)
        peer.undeliveredBytes = max(0, peer.undeliveredBytes + bytes)
        let isFull =
            peer.undeliveredMessages >= LinkLimits.undeliveredMessages
            || peer.undeliveredBytes >= LinkLimits.undeliveredBytes
        let isHalfEmpty =
            peer.undeliveredMessages <= LinkLimits.undeliveredMessages / 2
            && peer.undeliveredBytes <= LinkLimits.undeliveredBytes / 2
        let isReading = peer.isReading ? !isFull : isHalfEmpty
        let changed = isReading != peer.isReading
        peer.isReading = isReading
        peers[device] = peer
        if changed { endpoint.setReading(isReading, from: device) }
    }

    // MARK: - Ends

    private func end(_ identifier: UUID, reply: Data?) {
        guard let box = handlers.removeValue(forKey: identifier) else { return }
        core?.finished(identifier, box, reply: reply)
    }

    private func end(_ identifier: UUID, _ error: WCError) {
        guard let box = handlers.removeValue(forKey: identifier) else { return }
        core?.failed(identifier, error, box)
    }

    private func deadlinePassed() {
        timer = nil
        for device in peers.keys {
            for identifier in peers[device]?.deliveries.deadlinePassed(at: .now) ?? [] {
                end(identifier, WCError(.messageReplyTimedOut, reason: "none within \(times.reply.inSeconds) s"))
            }
        }
        rearm()
    }

    /// Keeps one timer, for the earliest deadline of all peers.
    private func rearm() {
        var earliest: MonotonicTime?
        for device in peers.keys {
            guard let next = peers[device]?.deliveries.nextDeadline else { continue }
            earliest = earliest.map { min($0, next) } ?? next
        }
        guard let earliest else { return }
        if let timer {
            guard earliest < timer.time else { return }
            loop.cancel(timer.identifier)
        }
        timer = (loop.schedule(at: earliest) { [weak self] in self?.deadlinePassed() }, earliest)
    }
}
