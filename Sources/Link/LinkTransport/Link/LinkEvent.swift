import Foundation
package import LinkProtocol

/// An event that an endpoint reports to the session, always on the loop.
package enum LinkEvent: Sendable {
    /// A peer's hello was accepted, so packages can be sent. `said` is the state in this side's hello.
    case connected(Hello, said: DeviceState)
    /// Nothing can be sent to the peer any more; messages in flight will not be answered.
    case disconnected(Device, reason: String)
    /// The host is unavailable, for this reason. Reported for each attempt.
    case unreachable(reason: String)
    /// A package from a peer, marked with its origin. `bytes` is its size on the wire.
    case package(MessagePackage, from: Device, bytes: Int)
    /// Queued packages to a peer are making progress: some earlier data has arrived.
    case delivering(to: Device)
}
