import Foundation
import LinkProtocol

/// Connections: made, replaced, lost.
extension AppProcess {
    func perform(_ action: ReconnectStateMachine.Action) {
        switch action {
        case .nothing: break
        case .connect:
            guard node.isLinkUp, let phone = world.nodes[0].process, world.nodes[0].pausedUntil == nil else {
                return connectFailed()
            }
            let connection = world.connection(from: node.index)
            let endpoint = Endpoint(self, connection)
            endpoints[connection.number] = endpoint
            phone.accept(connection)
            endpoint.open()
        case .wait(_, let until):
            schedule(at: until) { [self] in perform(reconnect.deadlinePassed(at: world.now)) }
        }
    }

    private func connectFailed() {
        perform(reconnect.failed(at: world.now, jitter: world.random.unit()))
    }

    func accept(_ connection: SimulatedConnection) {
        let endpoint = Endpoint(self, connection)
        endpoints[connection.number] = endpoint
        endpoint.open()
    }

    func established(_ endpoint: Endpoint, _ device: Device, _ state: DeviceState) {
        if node.role == .companion {
            reconnect.connected(at: world.now)
        } else if let ghost = peers.established(device.identifier, on: endpoint.connection.number) {
            trace { "replaces the ghost of \(device.name)" }
            disconnected(device, "replaced")
            endpoints[ghost]?.close("replaced")
        }
        trace { "is connected to \(device.name)" }
        perform(session.connected(device, state, said: endpoint.said, at: world.now))
    }

    func received(_ package: MessagePackage, _ chunk: FilePackage.Chunk?, from device: Device) {
        perform(session.received(package, from: device, bytes: package.dataPackage?.count ?? 0), chunk)
    }

    func closed(_ endpoint: Endpoint, reason: String) {
        endpoints[endpoint.connection.number] = nil
        if let device = endpoint.peer {
            if node.role == .companion || peers.closed(endpoint.connection.number, of: device.identifier) {
                trace { "lost \(device.name): \(reason)" }
                disconnected(device, reason)
            }
        }
        if node.role == .companion, isAlive { connectFailed() }
    }

    private func disconnected(_ device: Device, _ reason: String) {
        let actions = session.disconnected(device.identifier, reason: reason)
        incomingFiles = incomingFiles.filter { $0.value.device != device.identifier }
        // Behind what the device sent and the inbox has not looked at.
        transferArrivals.removeAll { $0.device == device }
        gate.disconnected(device.identifier)
        perform(actions)
    }

    /// This end of the connection is gone, and the other one learns of it late: until then there are two.
    func leaveGhost() {
        for (_, endpoint) in endpoints.sorted(by: { $0.key < $1.key }) {
            endpoint.connection.close(fromHost: node.role == .host, after: 30 * .second)
            endpoint.ended(reason: "gone")
        }
    }

    /// The connection of a device that may be talked to.
    func endpoint(_ device: UUID) -> Endpoint? {
        node.role == .host
            ? peers[device].flatMap { endpoints[$0] }
            : endpoints.values.first { $0.peer?.identifier == device }
    }
}
