import DeviceEngine
import Foundation
import LinkProtocol

/// Connections: made, replaced, lost.
extension SimulatedShell {
    /// A connection that held for seconds was good: the next wait is the first again.
    private static let goodAfter: Duration = .seconds(5)
    /// Seconds.
    private static let (firstWait, longestWait) = (0.05, 5.0)

    func perform(_ action: ReconnectStateMachine.Action) {
        switch action {
        case .nothing: break
        case .connect:
            guard node.isLinkUp, let phone = world.nodes[0].process, world.nodes[0].pausedUntil == nil else {
                return connectFailed()
            }
            let connection = world.connection(from: node.index)
            let endpoint = Endpoint(self, connection)
            endpoints.append(endpoint)
            phone.accept(connection)
            endpoint.open()
        case .wait(_, let until):
            schedule(at: until, .reconnection(self))
        }
    }

    func reconnectionIsDue() { perform(reconnect.deadlinePassed(at: world.now)) }

    private func connectFailed() {
        let jitter = world.random.unit()
        let hasHeld = connectedAt.map { world.now - $0 >= Self.goodAfter } ?? false
        (connectedAt, failures) = (nil, hasHeld ? 1 : failures + 1)
        let action = reconnect.failed(at: world.now, jitter: jitter)
        let longest = min(Self.firstWait * Double(1 << min(failures - 1, 20)), Self.longestWait)
        let expected = longest * (1 + jitter) / 2
        if case .wait(let span, let until) = action, until == world.now + span, abs(span.inSeconds - expected) < 1e-6 {
            return perform(action)
        }
        world.chronicle.fail(.onTime, "node \(node.index) does not connect after \(expected) s, but \(action)")
    }

    private func accept(_ connection: SimulatedConnection) {
        let endpoint = Endpoint(self, connection)
        endpoints.append(endpoint)
        endpoint.open()
    }

    func established(_ endpoint: Endpoint, _ device: Device, _ state: DeviceState) {
        if node.role == .companion {
            reconnect.connected(at: world.now)
            connectedAt = world.now
        } else if let ghost = peers.established(device.identifier, on: endpoint.connection.number) {
            trace { "replaces the ghost of \(device.name)" }
            lost(device, "replaced")
            self.endpoint(number: ghost)?.close("replaced")
        }
        trace { "is connected to \(device.name)" }
        let (hasShownCode, isAdmitted) = ask { admission(of: device.identifier, to: $0.session.presence) }
        act { $0.connected(device, state, said: endpoint.said, hasShownCode: hasShownCode, at: $1) }
        guard ask({ $0.session.presence.peers[device.identifier] != nil }) != isAdmitted else { return }
        world.chronicle.fail(.admits, "\(device.name) was \(isAdmitted ? "refused" : "admitted") by node \(node.index)")
    }

    /// Returns whether a watch has shown the pairing code, and whether it may connect.
    private func admission(of device: UUID, to presence: PresenceStateMachine) -> (hasShownCode: Bool, isAdmitted: Bool)
    {
        guard node.role == .host else { return (false, true) }
        let record = presence.companions[device]
        guard record?.isPaired != true else { return (false, true) }
        switch world.plan.pairing {
        case .automatic: return (false, record == nil || world.bug == .admitsAll)
        case .manual: return (false, world.bug == .admitsAll)
        case .code:
            let hasShownCode = presence.mustShowCode(device) && world.isSetUp
            return (hasShownCode, world.isSetUp || world.bug == .admitsAll)
        }
    }

    func received(_ package: MessagePackage, from device: Device) {
        if world.bug == .hidesState, package.command == .state, node.role == .host, world.random.happens(0.3) { return }
        foresee(package, from: device)
        if let chunk = world.chunk(of: package) {
            act { $0.received(package, chunk, from: device, bytes: world.plan.weight, at: $1) }
        } else {
            act { $0.received(package, from: device, bytes: world.plan.weight, at: $1) }
        }
        checkInjection(package)
    }

    func closed(_ endpoint: Endpoint, reason: String) {
        endpoints.removeAll { $0 === endpoint }
        if let device = endpoint.peer {
            if node.role == .companion || peers.closed(endpoint.connection.number, of: device.identifier) {
                trace { "lost \(device.name): \(reason)" }
                lost(device, reason)
            }
        }
        if node.role == .companion, isAlive { connectFailed() }
    }

    private func lost(_ device: Device, _ reason: String) {
        lostAt = world.now
        armed.latest.removeAll()
        armed.held.removeAll()
        act { $0.disconnected(device.identifier, reason: reason, at: $1) }
    }

    /// Closes this end of the connections, while the peer learns of it late: until then there are two connections.
    func leaveGhost() {
        for endpoint in endpoints {
            endpoint.connection.close(fromHost: node.role == .host, after: 30 * .second)
            endpoint.ended(reason: "gone")
        }
    }

    /// Takes the link away for a while, as a fault.
    func loseLink(_ span: Duration) {
        guard node.role == .companion else {
            for endpoint in endpoints { endpoint.connection.cut() }
            return
        }
        world.loseLink(node.index, for: span)
    }

    /// Returns the connection of a device that is connected.
    func endpoint(_ device: UUID) -> Endpoint? {
        node.role == .host
            ? peers[device].flatMap(endpoint(number:))
            : endpoints.first { $0.peer?.identifier == device }
    }

    private func endpoint(number: Int) -> Endpoint? { endpoints.first { $0.connection.number == number } }
}
