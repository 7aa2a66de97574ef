public import Foundation

/// The key of a quiz on a host: different devices may use the same identifier.
public struct QuizKey: Hashable, Sendable {
    /// The identifier of the quiz.
    public let identifier: UUID
    /// The device that took the quiz.
    public let device: UUID

    package init(identifier: UUID, device: UUID) {
        self.identifier = identifier
        self.device = device
    }
}
