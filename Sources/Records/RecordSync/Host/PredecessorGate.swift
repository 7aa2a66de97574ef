import Foundation
package import LinkProtocol

/// The check that payloads are settled in the order in which each device accepted them.
///
/// A payload with a predecessor is admitted only if that was the device's last settled payload; a payload without one has no
/// open payload before it. A payload sent after one that was lost, is late or could not be stored is therefore postponed
/// until its device starts over with the missing payload (``LinkProtocol/OutboxStateMachine``).
package struct PredecessorGate: Sendable {
    /// The number of devices whose last payload is remembered. 10,000: half a megabyte; a forgotten device starts over.
    static let capacity = 10_000

    /// The last payload of each device that was stored or permanently rejected in order.
    private var lastSettled: [IdentifierKey: UUID] = [:]

    package init() {}

    /// Returns true if a payload can be settled now.
    ///
    /// - Parameter round: The last payload of each device in this round; passed to ``settled(_:)`` after its success.
    package func admits(
        _ payload: UUID, after predecessor: UUID?, from device: UUID, in round: inout [IdentifierKey: UUID]
    ) -> Bool {
        if let predecessor {
            guard (round[device] ?? lastSettled[device]) == predecessor else { return false }
        }
        round[device] = payload
        return true
    }

    /// The payloads that a round admitted are durable or permanently rejected.
    package mutating func settled(_ round: [IdentifierKey: UUID]) {
        if lastSettled.count > Self.capacity { lastSettled.removeAll() }
        lastSettled.merge(round) { $1 }
    }
}
