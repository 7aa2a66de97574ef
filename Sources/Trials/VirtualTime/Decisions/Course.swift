/// All that decides what happens in a world of one build: the seed, the strategy, and the decisions that are given.
///
/// Of the decisions that are given only those are kept that depart from the dullest course.
public struct Course: Hashable, Sendable {
    /// The source of entropy and of the decisions that are drawn.
    public var seed: UInt64
    public var strategy: Strategy
    /// What is not dull among the given decisions, in their order.
    public private(set) var departures: [Departure]
    /// How many decisions are given: this many from the first on.
    public private(set) var given: Int
    /// The source of the decisions after those.
    public var remainder: Remainder

    /// A course of which nothing is given: the seed decides all.
    public init(seed: UInt64, strategy: Strategy = .random) {
        (self.seed, self.strategy, remainder) = (seed, strategy, .drawn)
        (departures, given) = ([], 0)
    }

    /// A course that follows decisions that a world took.
    public init(
        seed: UInt64, strategy: Strategy = .random, following decisions: some Sequence<Decision>,
        then remainder: Remainder = .dull
    ) {
        (self.seed, self.strategy, self.remainder) = (seed, strategy, remainder)
        (departures, given) = ([], 0)
        for decision in decisions {
            if !decision.isDull { departures.append(Departure(at: given, decision)) }
            given += 1
        }
    }

    /// A course whose departures are known; dull ones among them are left out.
    ///
    /// - Throws: ``CourseError`` if they are not in their order, or beyond the decisions that are given.
    public init(
        seed: UInt64, strategy: Strategy = .random, departures: [Departure], given: Int? = nil,
        then remainder: Remainder = .dull
    ) throws(CourseError) {
        var last = -1
        var places: Set<Place> = []
        for departure in departures {
            guard departure.index > last else { throw .disorder(departure.index, after: last) }
            guard places.insert(departure.decision.place).inserted else { throw .samePlace(departure.index) }
            last = departure.index
        }
        let given = given ?? last + 1
        guard given <= Self.mostGiven else { throw .tooLong(given) }
        guard last < given else { throw .beyondEnd(last, given: given) }
        (self.seed, self.strategy, self.remainder) = (seed, strategy, remainder)
        (self.departures, self.given) = (departures.filter { !$0.decision.isDull }, given)
    }

    /// The same seed's course with what was taken.
    func following(_ departures: [Departure], of count: Int) -> Course {
        var course = with(departures)
        course.given = count
        return course
    }

    /// The same course with other departures, which must be in their order, and with dull decisions after the last of them.
    func with(_ departures: [Departure]) -> Course {
        var course = self
        (course.departures, course.given, course.remainder) = (departures, (departures.last?.index ?? -1) + 1, .dull)
        return course
    }

    /// 4,194,304, as many as a world keeps: a week of two services takes some hundred thousand.
    public static let mostGiven = 1 << 22

    /// The first of the given decisions that a world took otherwise, or did not come to: then this is another build, or what the world did
    /// is not decided by its course alone.
    public func divergence(from decisions: [Decision]) -> Divergence? {
        for departure in departures {
            guard departure.index < decisions.count else { return Divergence(given: departure, taken: nil) }
            let taken = decisions[departure.index]
            if taken != departure.decision { return Divergence(given: departure, taken: taken) }
        }
        return nil
    }
}
