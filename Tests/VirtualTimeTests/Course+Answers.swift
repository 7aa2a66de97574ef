@testable import VirtualTime

extension Decision {
    /// Returns the decision of a world that asks all questions at one site, with this ordinal.
    init(_ kind: DecisionKind, options: UInt32, taken: UInt32, ordinal: Int) throws {
        try self.init(kind, options: options, taken: taken, at: Place(site: 0, ordinal: UInt32(ordinal)))
    }
}

extension Course {
    /// Returns the answers of such a world, up to the last given one.
    var answers: [UInt32] {
        var answers = [UInt32](repeating: 0, count: given)
        for departure in departures { answers[Int(departure.decision.place.ordinal)] = departure.decision.taken }
        return answers
    }
}
