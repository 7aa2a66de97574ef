import Cassettes

/// The watches of a phone in a cassette, and which of them its session was with, and when.
package struct TapeWatches: Equatable, Sendable {
    /// The numbers of the watches that were connected, in the order in which that is first seen.
    package let numbers: [Int]
    /// The numbers of all watches: those that were never connected are the last.
    package let known: [Int]
    /// The watches that the phone knew before the first one connected, or when the recording began.
    let present: [PresentWatch]
    /// True if the recording began while the session worked, and says which watches the phone knew then.
    package let isBeginningKnown: Bool
    /// True if a person or a hazard changed the watches.
    package let hasChanges: Bool
    /// The first change of watches that no recorded action explains, by its position.
    package let unexplained: Int?
    /// The positions at which the session's watch changed, and the new one.
    private let changes: [(sequence: Int, watch: Int)]
    /// The positions between which reachability changed because of another watch.
    private let switches: [ClosedRange<Int>]

    package static func == (first: TapeWatches, second: TapeWatches) -> Bool {
        first.known == second.known && first.unexplained == second.unexplained && first.present == second.present
            && first.isBeginningKnown == second.isBeginningKnown && first.hasChanges == second.hasChanges
            && first.changes.elementsEqual(second.changes, by: ==) && first.switches == second.switches
    }

    /// - Parameter events: The events of the phone, in order.
    init(_ events: [AppEvent]) {
        var course = WatchCourse()
        for event in events { course.take(event) }
        if let last = events.last { course.end(at: last.sequence) }
        (numbers, known, unexplained) = (course.numbers, course.known, course.unexplained)
        (present, isBeginningKnown, hasChanges) = (course.present, course.isBeginningKnown, course.hasChanges)
        (changes, switches) = (course.changes, course.switches)
    }

    /// Returns the number of a watch in an action's words, such as `#2`.
    package static func number(_ word: String) -> Int? { word.hasPrefix("#") ? Int(word.dropFirst()) : nil }

    /// Returns the watch that the session was with at a position; nil before the first one.
    func watch(at sequence: Int) -> Int? { changes.last { $0.sequence <= sequence }?.watch }

    /// Returns true if reachability changed because of another watch.
    func isSwitching(at sequence: Int) -> Bool { switches.contains { $0.contains(sequence) } }

    /// Returns the place of a watch among those that are known, from 1. Its number can be another one in each cassette.
    package func place(of number: Int) -> Int { (known.firstIndex(of: number) ?? 0) + 1 }

    /// Returns the name of a watch, as `watchlink run` gives it: `watch`, `watch2` …
    package func name(of number: Int) -> String {
        let place = place(of: number)
        return place == 1 ? "watch" : "watch\(place)"
    }
}
