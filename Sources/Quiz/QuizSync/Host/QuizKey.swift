public import Foundation

/// What a quiz is known by on a host: devices may use one identifier without knowing of each other.
public struct QuizKey: Hashable, Sendable {
    public let identifier: UUID
    public let device: UUID

    package init(identifier: UUID, device: UUID) {
        self.identifier = identifier
        self.device = device
    }
}
