import Foundation
import LinkProtocol
package import RecordStorage

/// The rules of a host that accepts payloads in rounds: which are stored, postponed or rejected, and how each is
/// answered after the commit.
///
/// A value without a clock or I/O. A payload is represented by its index in the round, so that only relevant data is
/// copied.
package struct ReceiverEngine: Sendable {
    /// The relevant data of a message that should be a payload.
    package struct Arrival: Equatable, Sendable {
        package let payload: UUID
        package let device: UUID
        /// The payload that the device sent before it.
        package let predecessor: UUID?
        /// The reason why it cannot be accepted; nil for a valid payload.
        package let refusal: PayloadError?
        /// True if its file is not in the store.
        package let lacksFile: Bool

        package init(
            _ payload: UUID, from device: UUID, after predecessor: UUID? = nil, refusal: PayloadError? = nil,
            lacksFile: Bool = false
        ) {
            self.payload = payload
            self.device = device
            self.predecessor = predecessor
            self.refusal = refusal
            self.lacksFile = lacksFile
        }
    }

    package enum Effect: Equatable, Sendable {
        /// Store the payloads at these indices, in this order and in one transaction; then call
        /// ``ReceiverEngine/stored(_:)`` or ``ReceiverEngine/storingFailed()``.
        case store([Int])
        /// Publish the result of the payload at this index, and answer its sender.
        case settle(Int, RecordSettlement)
    }

    private enum State: Sendable {
        case idle
        /// The indices in the database, and the last payload of each device once the round is settled.
        case storing([Int], latest: [IdentifierKey: UUID])
    }

    private var gate = PredecessorGate()
    private var state = State.idle

    package init() {}

    /// True while a round is being stored: the next one begins after it.
    package var isStoring: Bool {
        guard case .storing = state else { return false }
        return true
    }

    /// A round of messages arrived, in their order.
    package mutating func arrived(_ arrivals: [Arrival]) -> [Effect] {
        guard case .idle = state else { preconditionFailure("a round arrived while another was \(state)") }
        var (effects, places): ([Effect], [Int]) = ([], [])
        var latest: [IdentifierKey: UUID] = [:]
        for (place, arrival) in arrivals.enumerated() {
            // It does not become its device's last payload: what was sent after it must wait for it.
            guard !arrival.lacksFile else {
                effects.append(.settle(place, .fileMissing))
                continue
            }
            let isNext = gate.admits(arrival.payload, after: arrival.predecessor, from: arrival.device, in: &latest)
            if let refusal = arrival.refusal {
                effects.append(.settle(place, .refused(refusal)))
            } else if isNext {
                places.append(place)
            } else {
                effects.append(.settle(place, .putOff))
            }
        }
        guard !places.isEmpty else {
            gate.settled(latest)
            return effects
        }
        state = .storing(places, latest: latest)
        effects.append(.store(places))
        return effects
    }

    /// The round was stored.
    ///
    /// - Parameter outcomes: The outcomes of the payloads to be stored, in their order.
    package mutating func stored(_ outcomes: [InsertOutcome]) -> [Effect] {
        guard case .storing(let places, let latest) = state else { preconditionFailure("the engine was \(state)") }
        // An incomplete answer of the database counts as none.
        guard outcomes.count == places.count else { return storingFailed() }
        state = .idle
        gate.settled(latest)
        return zip(places, outcomes).map { place, outcome in
            switch outcome {
            case .stored(let sequence): .settle(place, .stored(sequence: sequence))
            case .repeated: .settle(place, .repeated)
            case .conflict: .settle(place, .conflict)
            }
        }
    }

    /// The round was not stored: no device advances, not even by its rejected payloads.
    package mutating func storingFailed() -> [Effect] {
        guard case .storing(let places, _) = state else { preconditionFailure("the engine was \(state)") }
        state = .idle
        return places.map { .settle($0, .unavailable) }
    }
}
