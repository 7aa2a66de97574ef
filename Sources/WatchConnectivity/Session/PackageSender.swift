import Foundation
import LinkProtocol

/// Hands a package for a device to the link; calls back if it could not be sent.
typealias PackageSender =
    @Sendable (_ package: MessagePackage, _ device: UUID, _ onFailure: @escaping @Sendable (WCError) -> Void) -> Void
