import Foundation

/// The check that quizzes are settled in the order in which each device accepted them.
///
/// A quiz with a predecessor is admitted only if that was the device's last settled quiz; a quiz without one has no
/// open quiz before it. A quiz sent after one that was lost, is late or could not be stored is therefore postponed
/// until its device starts over with the missing quiz (``LinkProtocol/OutboxStateMachine``).
package struct PredecessorGate: Sendable {
    /// The number of devices whose last quiz is remembered. 10,000: half a megabyte; a forgotten device starts over.
    static let capacity = 10_000

    /// The last quiz of each device that was stored or permanently rejected in order.
    private var lastSettled: [UUID: UUID] = [:]

    package init() {}

    /// Returns true if a quiz can be settled now.
    ///
    /// - Parameter round: The last quiz of each device in this round; passed to ``settled(_:)`` after its success.
    package func admits(
        _ quiz: UUID, after predecessor: UUID?, from device: UUID, in round: inout [UUID: UUID]
    ) -> Bool {
        if let predecessor {
            guard (round[device] ?? lastSettled[device]) == predecessor else { return false }
        }
        round[device] = quiz
        return true
    }

    /// The quizzes that a round admitted are durable or permanently rejected.
    package mutating func settled(_ round: [UUID: UUID]) {
        if lastSettled.count > Self.capacity { lastSettled.removeAll() }
        lastSettled.merge(round) { $1 }
    }
}
