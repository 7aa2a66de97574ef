import Foundation
package import QuizStorage

/// The rules of a host that takes quizzes in, a round at a time: which go to the database, which are put off or refused, and what
/// each is answered when the database has spoken.
///
/// A value without clock or I/O. A quiz is its place in the round, so that nothing is copied that is not decided on.
package struct ReceiverEngine: Sendable {
    /// What there is to know of a message that should be a quiz.
    package struct Arrival: Equatable, Sendable {
        package let quiz: UUID
        package let device: UUID
        /// The quiz that its device sent before it.
        package let predecessor: UUID?
        /// Why it is no quiz that can be taken in, if it is none.
        package let refusal: QuizError?

        package init(_ quiz: UUID, from device: UUID, after predecessor: UUID? = nil, refusal: QuizError? = nil) {
            self.quiz = quiz
            self.device = device
            self.predecessor = predecessor
            self.refusal = refusal
        }
    }

    package enum Effect: Equatable, Sendable {
        /// Store the quizzes at these places, in this order and in one transaction; then ``ReceiverEngine/stored(_:)`` or
        /// ``ReceiverEngine/storingFailed()``.
        case store([Int])
        /// Tell everybody what becomes of the quiz at this place, and answer its sender.
        case settle(Int, QuizSettlement)
    }

    private enum State: Sendable {
        case idle
        /// With the last quiz of each device that is settled when the round is.
        case storing([Int], latest: [UUID: UUID])
    }

    private var gate = PredecessorGate()
    private var state = State.idle

    package init() {}

    /// Whether a round is with the database: the next one begins when it has come back.
    package var isStoring: Bool {
        guard case .storing = state else { return false }
        return true
    }

    /// A round of messages, in the order in which they came.
    package mutating func arrived(_ arrivals: [Arrival]) -> [Effect] {
        guard case .idle = state else { preconditionFailure("a round came while another was \(state)") }
        var (effects, places): ([Effect], [Int]) = ([], [])
        var latest: [UUID: UUID] = [:]
        for (place, arrival) in arrivals.enumerated() {
            let isNext = gate.admits(arrival.quiz, after: arrival.predecessor, from: arrival.device, in: &latest)
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

    /// The database has the round.
    ///
    /// - Parameter outcomes: Of each quiz that was to be stored, in their order.
    package mutating func stored(_ outcomes: [InsertOutcome]) -> [Effect] {
        guard case .storing(let places, let latest) = state else { preconditionFailure("the engine was \(state)") }
        // A database that does not speak of each has said nothing of any.
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

    /// The database has nothing of the round: no device is further than before, also by what was refused.
    package mutating func storingFailed() -> [Effect] {
        guard case .storing(let places, _) = state else { preconditionFailure("the engine was \(state)") }
        state = .idle
        return places.map { .settle($0, .unavailable) }
    }

    /// What is a conflict by its bytes may be a repeat by its content: archivers need not agree on every byte.
    ///
    /// - Parameters:
    ///   - known: The archive of this identifier and device as it was received; nil if there is none any more.
    ///   - archive: The one that came now.
    package static func outcome(ofConflictBetween known: Data?, and archive: Data) -> InsertOutcome {
        guard let known else { return .conflict }
        do throws(QuizError) {
            return try EncodedData(known).quizData == EncodedData(archive).quizData ? .repeated : .conflict
        } catch {
            // What cannot be read any more is not the same as what was read a moment ago.
            return .conflict
        }
    }
}
