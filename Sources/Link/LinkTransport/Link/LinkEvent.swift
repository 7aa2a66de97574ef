import Foundation
package import LinkProtocol

/// What an endpoint tells the session. Always on the loop.
package enum LinkEvent: Sendable {
    /// A peer said hello, and may be talked to. `said` is what this side's hello told it.
    case connected(Hello, said: DeviceState)
    /// Nothing can be sent to the peer any more; what was under way will not be answered.
    case disconnected(Device, reason: String)
    /// The host cannot be had for now, and why. Told at each try.
    case unreachable(reason: String)
    /// A peer's package, marked with its origin. `bytes` is its size on the wire.
    case package(MessagePackage, from: Device, bytes: Int)
    /// What waits to be sent to a peer is not lost: some of what was before it has arrived.
    case delivering(to: Device)
}
