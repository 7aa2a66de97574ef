package import Foundation
package import LinkProtocol

/// One side of the link: the host's listener or the companion's connector. All methods run on the loop.
package protocol LinkEndpoint: AnyObject, Sendable {
    /// Begins to listen or to connect. Events come until ``stop(_:)``.
    func start(_ onEvent: @escaping (LinkEvent) -> Void) throws

    /// Queues a package for a device that is connected.
    func send(_ package: MessagePackage, to device: UUID) throws(LinkSendError)

    /// How this device is, for the hellos to come.
    func setState(_ state: DeviceState)

    /// Says goodbye to one peer.
    func disconnect(_ device: UUID, _ reason: String)

    /// What the links are like.
    var conditioner: LinkConditioner { get }

    /// Puts the link down, as out of range: every connection ends, and none is made until it is up again.
    func setUp(_ isUp: Bool)

    /// Stops or resumes reading from a device, because what it sent is not handled yet.
    func setReading(_ isReading: Bool, from device: UUID)

    /// Says goodbye to every peer and closes. `completion` runs when all that was queued is written.
    func stop(_ reason: String, completion: @escaping () -> Void)
}
