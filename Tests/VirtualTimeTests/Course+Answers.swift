@testable import VirtualTime

extension Decision {
    /// The decision of a world whose questions are all at one site, asked there the so-many-th time.
    init(_ kind: DecisionKind, options: UInt32, taken: UInt32, ordinal: Int) throws {
        try self.init(kind, options: options, taken: taken, at: Place(site: 0, ordinal: UInt32(ordinal)))
    }
}

extension Course {
    /// The answers of such a world, up to the last that is given.
    var answers: [UInt32] {
        var answers = [UInt32](repeating: 0, count: given)
        for departure in departures { answers[Int(departure.decision.place.ordinal)] = departure.decision.taken }
        return answers
    }
}
