public import Foundation

/// The key of a record on a host: different devices may use the same identifier.
public struct RecordKey: Hashable, Sendable {
    /// The identifier of the payload.
    public let identifier: UUID
    /// The device that made it.
    public let device: UUID

    /// Creates a key.
    public init(_ identifier: UUID, device: UUID) { (self.identifier, self.device) = (identifier, device) }
}
