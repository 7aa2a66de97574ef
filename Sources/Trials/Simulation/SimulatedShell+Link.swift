import DeviceEngine
import Foundation
import LinkProtocol

/// Connections: made, replaced, lost.
extension SimulatedShell {
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
        perform(reconnect.failed(at: world.now, jitter: world.random.unit()))
    }

    private func accept(_ connection: SimulatedConnection) {
        let endpoint = Endpoint(self, connection)
        endpoints.append(endpoint)
        endpoint.open()
    }

    func established(_ endpoint: Endpoint, _ device: Device, _ state: DeviceState) {
        if node.role == .companion {
            reconnect.connected(at: world.now)
        } else if let ghost = peers.established(device.identifier, on: endpoint.connection.number) {
            trace { "replaces the ghost of \(device.name)" }
            act { $0.disconnected(device.identifier, reason: "replaced", at: $1) }
            self.endpoint(number: ghost)?.close("replaced")
        }
        trace { "is connected to \(device.name)" }
        act { $0.connected(device, state, said: endpoint.said, at: $1) }
    }

    func received(_ package: MessagePackage, from device: Device) {
        if world.bug == .hidesState, package.command == .state, node.role == .host, world.random.happens(0.3) { return }
        let chunk = world.chunk(of: package)
        act {
            $0.received(package, from: device, bytes: package.dataPackage?.count ?? 0, chunk: chunk, at: $1)
        }
    }

    func closed(_ endpoint: Endpoint, reason: String) {
        endpoints.removeAll { $0 === endpoint }
        if let device = endpoint.peer {
            if node.role == .companion || peers.closed(endpoint.connection.number, of: device.identifier) {
                trace { "lost \(device.name): \(reason)" }
                act { $0.disconnected(device.identifier, reason: reason, at: $1) }
            }
        }
        if node.role == .companion, isAlive { connectFailed() }
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
