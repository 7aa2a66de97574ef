package import Foundation
package import LinkProtocol

/// One side of the link: the host's listener or the companion's connector. All methods run on the loop.
package protocol LinkEndpoint: AnyObject, Sendable {
    /// Starts to listen or connect. Events are delivered until ``stop(_:completion:)``.
    func start(_ onEvent: @escaping (LinkEvent) -> Void) throws

    /// Queues a package for a connected device.
    func send(_ package: MessagePackage, to device: UUID) throws(LinkSendError)

    /// Sets the state of this device for future hellos.
    func setState(_ state: DeviceState)

    /// Sends a goodbye to one peer and closes its connection.
    func disconnect(_ device: UUID, _ reason: String)

    /// The conditions of the links.
    var conditioner: LinkConditioner { get }

    /// Takes the link down, as if out of range, or up again. While it is down all connections are closed and new ones
    /// fail.
    func setUp(_ isUp: Bool)

    /// Pauses or resumes reading from a device whose content is not handled yet.
    func setReading(_ isReading: Bool, from device: UUID)

    /// Sends a goodbye to every peer and closes. `completion` runs when everything queued has been written.
    func stop(_ reason: String, completion: @escaping () -> Void)
}
