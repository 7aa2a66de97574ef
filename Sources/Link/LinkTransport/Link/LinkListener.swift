package import EventLog
import Files
package import Foundation
package import LinkProtocol

/// The host's endpoint: serves any number of companions, with one connection each.
// Proof of `@unchecked Sendable`: all mutable state is confined to turns of the loop, as `EventLoop` asserts.
package final class LinkListener: LinkEndpoint, @unchecked Sendable {
    private let loop: EventLoop
    private let device: Device
    private var state = DeviceState()
    private let times: LinkTimes
    private let logger: Logger
    private let path: String
    private let access: AccessRule
    package let conditioner: LinkConditioner
    private let templates = PackageTemplates()
    private let greetings = HelloBudget()
    private var trimRule = TrimRule(least: worthwhileConnections)
    private let memory = PieceBudget()
    private var listener: SocketListener?
    private var onEvent: (LinkEvent) -> Void = { _ in }
    private var connections: [UInt64: LinkConnection] = [:]
    /// Accepted connections that the link's condition delays.
    private var delayed: Set<UInt64> = []
    private var peers = PeerTable<LinkConnection>()
    private var lastNumber: UInt64 = 0
    private var onAllClosed: (() -> Void)?
    private var isUp = true
    /// The number of connections from which freed memory is worth returning. 256: some megabytes.
    private static let worthwhileConnections = 256

    package init(
        loop: EventLoop, path: String, device: Device, access: AccessRule, times: LinkTimes,
        conditioner: LinkConditioner, logger: Logger
    ) {
        self.loop = loop
        self.path = path
        self.device = device
        self.access = access
        self.times = times
        self.conditioner = conditioner
        self.logger = logger
    }

    package func start(_ onEvent: @escaping (LinkEvent) -> Void) throws {
        self.onEvent = onEvent
        let listener = try SocketListener(loop: loop, path: path, access: access, logger: logger) {
            [self] (descriptor: consuming Descriptor) in accept(descriptor)
        }
        try listener.start()
        // Strong until stopped: a weak reference would cost time on every package.
        conditioner.start { [self] in
            for connection in connections.values { connection.conditionChanged() }
        }
        self.listener = listener
        logger.log(.linkListening, [.path(path)])
    }

    package func send(_ package: MessagePackage, to device: UUID) throws(LinkSendError) {
        guard let connection = peers[device] else { throw .notConnected }
        try connection.send(package)
    }

    package func setState(_ state: DeviceState) { self.state = state }

    package func setUp(_ isUp: Bool) {
        self.isUp = isUp
        guard !isUp else { return }
        for connection in connections.values { connection.close("the link is down") }
    }

    package func disconnect(_ device: UUID, _ reason: String) { peers[device]?.close(reason) }

    package func setReading(_ isReading: Bool, from device: UUID) {
        peers[device]?.setReading(isReading)
    }

    package func stop(_ reason: String, completion: @escaping () -> Void) {
        listener?.stop()
        conditioner.stop()
        delayed.removeAll()
        guard !connections.isEmpty else { return completion() }
        onAllClosed = completion
        for connection in connections.values { connection.close(reason) }
    }

    private func accept(_ descriptor: consuming Descriptor) {
        // Out of range nothing is answered; dropping the descriptor closes the connection.
        guard isUp, !conditioner.isOutOfRange(nil) else { return }
        guard connections.count + delayed.count < LinkLimits.connections else {
            logger.log(.peerRefused, [.reason("more than \(LinkLimits.connections) connections")])
            return
        }
        lastNumber += 1
        let connection = LinkConnection(
            loop: loop, descriptor: descriptor, number: lastNumber, role: .host, times: times,
            conditioner: conditioner, templates: templates, greetings: greetings, memory: memory,
            logger: logger)
        let delay = conditioner.condition(of: nil).acceptDelay
        guard delay > .zero else { return open(connection) }
        delayed.insert(connection.number)
        _ = loop.schedule(at: .now + delay) { [weak self] in
            // A stop does not include connections that are still delayed.
            guard let self, delayed.remove(connection.number) != nil, !conditioner.isOutOfRange(nil) else { return }
            open(connection)
        }
    }

    private func open(_ connection: LinkConnection) {
        connections[connection.number] = connection
        _ = trimRule.changed(to: connections.count)
        do {
            try connection.open(as: Hello(device: device, state: state)) { [self, unowned connection] in
                handle($0, of: connection)
            }
        } catch {
            connections[connection.number] = nil
            logger.log(.acceptFailed, [.connection(connection.number), .error(error)])
        }
    }

    private func handle(_ event: LinkConnection.Event, of connection: LinkConnection) {
        switch event {
        case .established(let hello): establish(hello, connection)
        case .package(let package, let bytes):
            guard let peer = connection.peer else { return }
            onEvent(.package(package, from: peer, bytes: bytes))
        case .delivering:
            if let peer = connection.peer { onEvent(.delivering(to: peer)) }
        case .closed(let reason): closed(connection, reason)
        }
    }

    private func establish(_ hello: Hello, _ connection: LinkConnection) {
        let peer = hello.device
        // The device is known only now, and with it the condition of its link.
        guard !conditioner.isOutOfRange(peer.identifier) else { return connection.conditionChanged() }
        if let ghost = peers.established(peer.identifier, on: connection) {
            logger.log(.peerReplaced, [.device(peer.identifier), .connection(ghost.number)])
            onEvent(.disconnected(peer, reason: Self.replaced))
            ghost.close(Self.replaced)
        }
        logger.log(
            .peerConnected, [.device(peer.identifier), .role(peer.role.rawValue), .connection(connection.number)])
        onEvent(.connected(hello, said: connection.said))
    }

    private static let replaced = "replaced by a new connection of the same device"

    private func closed(_ connection: LinkConnection, _ reason: String) {
        connections[connection.number] = nil
        if trimRule.changed(to: connections.count) { loop.returnMemory() }
        if let peer = connection.peer {
            logger.log(
                .peerDisconnected, [.device(peer.identifier), .connection(connection.number), .reason(reason)])
            // The end of a replaced connection was reported when it was replaced.
            if peers.closed(connection, of: peer.identifier) { onEvent(.disconnected(peer, reason: reason)) }
        }
        if connections.isEmpty { onAllClosed.take()?() }
    }
}
