import Foundation

/// Keeps the order in which each device accepted its quizzes.
///
/// A quiz that names a predecessor is taken only if that was the last one settled of its device; one that names none has
/// nothing before it that is open. So what was sent behind a quiz that is lost, late or could not be stored is put off until
/// its device begins anew with that quiz (``LinkProtocol/OutboxStateMachine``).
package struct PredecessorGate: Sendable {
    /// Devices whose last quiz is remembered. 10,000: half a megabyte; a device that is forgotten begins anew.
    static let capacity = 10_000

    /// The last quiz of each device that was stored, or refused for good behind all that were sent before it.
    private var lastSettled: [UUID: UUID] = [:]

    package init() {}

    /// Whether a quiz may be settled now.
    ///
    /// - Parameter round: What is settled together with it, by device: given back to ``settled(_:)`` when that has worked.
    package func admits(
        _ quiz: UUID, after predecessor: UUID?, from device: UUID, in round: inout [UUID: UUID]
    ) -> Bool {
        if let predecessor {
            guard (round[device] ?? lastSettled[device]) == predecessor else { return false }
        }
        round[device] = quiz
        return true
    }

    /// What a round admitted is durable, or refused for good.
    package mutating func settled(_ round: [UUID: UUID]) {
        if lastSettled.count > Self.capacity { lastSettled.removeAll() }
        lastSettled.merge(round) { $1 }
    }
}
