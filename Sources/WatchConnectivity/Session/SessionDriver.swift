import EventLog
import Foundation
import LinkProtocol
import LinkTransport

/// The session's part on the loop: carries out the delivery machines' answers, keeps the handlers, holds back the peer whose
/// messages the delegate has not handled.
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
    private let times: LinkTimes
    private let logger: Logger
    private weak var core: SessionCore?
    private var peers: [UUID: Peer] = [:]
    private var handlers: [UUID: UncheckedBox<MessageHandlers>] = [:]
    private var timer: (identifier: EventLoop.TimerIdentifier, time: MonotonicTime)?

    init(_ configuration: DeviceConfiguration, core: SessionCore) throws {
        loop = try EventLoop(name: "watchlink-link")
        times = configuration.times
        logger = configuration.logger
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
                try endpoint.start { [weak self] in self?.handle($0) }
                core?.activationEnded(nil)
            } catch {
                core?.activationEnded(error)
            }
        }
    }

    func stop(_ reason: String, completion: @escaping @Sendable () -> Void) {
        loop.execute { [self] in endpoint.stop(reason) { completion() } }
    }

    func send(_ package: MessagePackage, to device: UUID, _ handlers: UncheckedBox<MessageHandlers>) {
        loop.execute { [self] in transmit(package, to: device, handlers) }
    }

    func answer(_ package: MessagePackage, to device: Device) {
        loop.execute { [self] in transmitAnswer(package, to: device.identifier) }
    }

    // MARK: - Sending

    private func transmit(_ package: MessagePackage, to device: UUID, _ box: UncheckedBox<MessageHandlers>) {
        // In place: a copy of the peer would copy the tables of all its messages.
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
        case .connected(let device):
            peers[device.identifier] = Peer(deliveries: DeliveryStateMachine(replyTimeout: times.reply))
            core?.connected(device)
        case .disconnected(let device, let reason):
            guard var peer = peers.removeValue(forKey: device.identifier) else { return }
            for identifier in peer.deliveries.connectionLost() {
                end(identifier, WCError(.notReachable, reason: "the connection was lost: \(reason)"))
            }
            core?.disconnected(device)
        case .package(let package, let device, let bytes):
            if let message = package.answers {
                answered(message, by: package, from: device)
            } else {
                received(package, from: device, bytes: bytes)
            }
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

    private func received(_ package: MessagePackage, from device: Device, bytes: Int) {
        // A repeat of what the delegate has in hand is answered when that is.
        guard peers[device.identifier]?.deliveries.received(package.identifier) == true, let core else { return }
        account(device.identifier, messages: 1, bytes: bytes)
        core.deliver(package, from: device) { [self] in
            loop.execute { [self] in account(device.identifier, messages: -1, bytes: -bytes) }
        }
    }

    /// Counts what the delegate has not handled, and stops reading from a device that is too far ahead of it.
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
