/// Everything that determines a world of one build: the seed, the strategy, and the given decisions.
///
/// Of the given decisions, only the departures from the dullest course are stored.
public struct Course: Hashable, Sendable {
    /// The source of entropy and of random decisions.
    public var seed: UInt64
    /// The rule by which the seed decides.
    public var strategy: Strategy
    /// The given decisions that are not dull, in order.
    public private(set) var departures: [Departure]
    /// The number of given decisions, counted from the first.
    public private(set) var given: Int
    /// The source of the decisions after the given ones.
    public var remainder: Remainder

    /// Creates a course without given decisions: the seed decides everything.
    public init(seed: UInt64, strategy: Strategy = .random) {
        (self.seed, self.strategy, remainder) = (seed, strategy, .drawn)
        (departures, given) = ([], 0)
    }

    /// Creates a course that repeats the decisions of a world.
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

    /// Creates a course from its departures; dull decisions among them are dropped.
    ///
    /// - Throws: ``CourseError`` if the departures are out of order, share a place, or lie beyond the given decisions.
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

    /// Returns this course with the decisions that were taken.
    func following(_ departures: [Departure], of count: Int) -> Course {
        var course = with(departures)
        course.given = count
        return course
    }

    /// Returns this course with other departures, which must be in order, and dull decisions after the last of them.
    func with(_ departures: [Departure]) -> Course {
        var course = self
        (course.departures, course.given, course.remainder) = (departures, (departures.last?.index ?? -1) + 1, .dull)
        return course
    }

    /// The most given decisions, 4,194,304, as many as a world keeps: a week of two services takes a few hundred
    /// thousand.
    public static let mostGiven = 1 << 22

    /// Returns the first given decision that a world took differently or did not reach; nil if there is none. A
    /// divergence means that the build is different, or that something other than the course influences the world.
    public func divergence(from decisions: [Decision]) -> Divergence? {
        for departure in departures {
            guard departure.index < decisions.count else { return Divergence(given: departure, taken: nil) }
            let taken = decisions[departure.index]
            if taken != departure.decision { return Divergence(given: departure, taken: taken) }
        }
        return nil
    }
}
