import Foundation
import LinkProtocol

/// Hands a package for a device to the link; calls back if it could not be sent.
///
/// A package of an epoch is dropped when that is over: the device went away and may be back, and what was under way begins anew,
/// in its order. One without is sent whenever the device is there.
typealias PackageSender =
    @Sendable (
        _ package: MessagePackage, _ device: UUID, _ epoch: UInt64?, _ onFailure: @escaping @Sendable (WCError) -> Void
    ) -> Void
