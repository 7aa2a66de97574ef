package import EventLog
package import Foundation
package import LinkProtocol

/// The companion's endpoint: one connection to the host, re-established whenever it is lost.
// Proof of `@unchecked Sendable`: all mutable state is confined to turns of the loop, as `EventLoop` asserts.
package final class LinkConnector: LinkEndpoint, @unchecked Sendable {
    private let loop: EventLoop
    private let path: String
    private let device: Device
    private var state = DeviceState()
    private let pairingCode: String?
    private let times: LinkTimes
    private let logger: Logger
    package let conditioner: LinkConditioner
    private let templates = PackageTemplates()
    private let greetings = HelloBudget()
    private let memory = PieceBudget()
    private var machine: ReconnectStateMachine
    private var connection: LinkConnection?
    private var onEvent: (LinkEvent) -> Void = { _ in }
    private var lastNumber: UInt64 = 0
    private var timer: EventLoop.TimerIdentifier?
    private var onClosed: (() -> Void)?
    private var isUp = true
    /// The last failure logged, so that an absent host does not fill the log.
    private var lastFailure: String?

    package init(
        loop: EventLoop, path: String, device: Device, pairingCode: String?, times: LinkTimes, backoff: Backoff,
        conditioner: LinkConditioner, logger: Logger
    ) {
        self.loop = loop
        self.path = path
        self.device = device
        self.pairingCode = pairingCode
        self.times = times
        self.logger = logger
        self.conditioner = conditioner
        machine = ReconnectStateMachine(backoff: backoff)
    }

    package func start(_ onEvent: @escaping (LinkEvent) -> Void) {
        self.onEvent = onEvent
        // Strong until stopped: a weak reference would cost time on every package.
        conditioner.start { [self] in conditionChanged() }
        perform(machine.start())
    }

    package func send(_ package: MessagePackage, to device: UUID) throws(LinkSendError) {
        guard let connection, connection.peer?.identifier == device else { throw .notConnected }
        try connection.send(package)
    }

    package func setState(_ state: DeviceState) { self.state = state }

    package func setUp(_ isUp: Bool) {
        guard isUp != self.isUp else { return }
        self.isUp = isUp
        guard isUp else { return connection?.close(Self.isDown) ?? () }
        retryNow()
    }

    private static let isDown = "the link is down"

    private func conditionChanged() {
        connection?.conditionChanged()
        guard connection == nil, !conditioner.isOutOfRange(nil) else { return }
        retryNow()
    }

    private func retryNow() {
        if let timer { loop.cancel(timer) }
        timer = nil
        perform(machine.retryNow())
    }

    package func disconnect(_ device: UUID, _ reason: String) {
        guard connection?.peer?.identifier == device else { return }
        connection?.close(reason)
    }

    package func setReading(_ isReading: Bool, from device: UUID) {
        guard connection?.peer?.identifier == device else { return }
        connection?.setReading(isReading)
    }

    package func stop(_ reason: String, completion: @escaping () -> Void) {
        machine.stop()
        conditioner.stop()
        if let timer { loop.cancel(timer) }
        guard let connection else { return completion() }
        onClosed = completion
        connection.close(reason)
    }

    private func perform(_ action: ReconnectStateMachine.Action) {
        switch action {
        case .nothing: break
        case .connect: connect()
        case .wait(_, let until):
            timer = loop.schedule(at: until) { [self] in
                timer = nil
                perform(machine.deadlinePassed(at: .now))
            }
        }
    }

    private func connect() {
        guard isUp, !conditioner.isOutOfRange(nil) else { return failed(Self.isDown) }
        do {
            let descriptor = try UnixSocket.connect(to: path, blocking: false)
            lastNumber += 1
            let connection = LinkConnection(
                loop: loop, descriptor: descriptor, number: lastNumber, role: .companion, times: times,
                conditioner: conditioner, templates: templates, greetings: greetings, memory: memory,
                logger: logger)
            self.connection = connection
            try connection.open(as: Hello(device: device, state: state, pairingCode: pairingCode)) { [self] in
                handle($0)
            }
        } catch {
            connection = nil
            failed("\(error)")
        }
    }

    private func handle(_ event: LinkConnection.Event) {
        switch event {
        case .established(let hello):
            let peer = hello.device
            machine.connected(at: .now)
            lastFailure = nil
            logger.log(.peerConnected, [.device(peer.identifier), .role(peer.role.rawValue), .connection(lastNumber)])
            onEvent(.connected(hello, said: connection?.said ?? state))
        case .package(let package, let bytes):
            guard let peer = connection?.peer else { return }
            onEvent(.package(package, from: peer, bytes: bytes))
        case .delivering:
            if let peer = connection?.peer { onEvent(.delivering(to: peer)) }
        case .closed(let reason):
            let peer = connection?.peer
            connection = nil
            if let peer {
                logger.log(.peerDisconnected, [.device(peer.identifier), .connection(lastNumber), .reason(reason)])
                onEvent(.disconnected(peer, reason: reason))
            }
            failed(reason)
            // The link came up again while this connection was being closed.
            if reason == Self.isDown, isUp { retryNow() }
            onClosed.take()?()
        }
    }

    private func failed(_ reason: String) {
        onEvent(.unreachable(reason: reason))
        let action = machine.failed(at: .now, jitter: Double.random(in: 0..<1))
        if case .wait(let delay, _) = action, reason != lastFailure {
            lastFailure = reason
            logger.log(.connectFailed, [.path(path), .reason(reason), .delay(delay.inSeconds)])
        }
        perform(action)
    }
}
