import Foundation
import LinkProtocol
import RecordSync

/// The quizzes that a phone may settle, reckoned from those before: the order of acceptance, to hold its receiver to.
struct SettledOrder {
    /// The last quiz of each watch that was settled for good.
    private var last: [IdentifierKey: UUID] = [:]
    /// The same once the current round is stored, and which of its quizzes follow the last one of their watch.
    private var next: [IdentifierKey: UUID] = [:]
    private var follows: [Bool] = []

    /// A round of quizzes arrived, each of which follows the one that its watch sent before it, or starts anew.
    mutating func arrived(_ round: [ReceiverEngine.Arrival]) {
        next = last
        follows = round.map { arrival in
            if let predecessor = arrival.predecessor, next[arrival.device] != predecessor { return false }
            next[arrival.device] = arrival.payload
            return true
        }
    }

    /// The round is settled.
    ///
    /// - Parameter isStored: False if the database could not store it: then nothing of it counts.
    mutating func ended(isStored: Bool) {
        // Once: a disk that fails at once ends the round before it is known that there is something to store.
        if isStored { last = next } else { next = last }
    }

    /// Returns a complaint about the settlement of a quiz of the round; nil if there is none.
    func complaint(_ settlement: RecordSettlement, _ place: Int) -> String? {
        switch settlement {
        case .putOff: follows[place] ? "was put off, but follows what was settled last" : nil
        case .stored, .repeated, .conflict:
            follows[place] ? nil : "was settled, but does not follow what was settled last"
        case .refused, .fileMissing, .unavailable: nil
        }
    }
}
