import LinkProtocol
import LinkTransport

extension DeviceConfiguration {
    /// Returns the device's endpoint of the link: a phone listens, a watch connects.
    func endpoint(on loop: EventLoop) -> any LinkEndpoint {
        let conditioner = LinkConditioner(loop: loop, condition, seed: faultSeed, logger: logger)
        switch device.role {
        case .host:
            return LinkListener(
                loop: loop, path: socketPath, device: device, access: access, times: times, conditioner: conditioner,
                logger: logger)
        case .companion:
            return LinkConnector(
                loop: loop, path: socketPath, device: device, pairingCode: pairingCode, times: times,
                backoff: reconnect, conditioner: conditioner, logger: logger)
        }
    }
}
