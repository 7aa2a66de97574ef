import Cassettes

/// The watches of a phone in a cassette, and which of them its session was with, and when.
package struct TapeWatches: Equatable, Sendable {
    /// The numbers of the watches, in the order in which they first connected.
    package private(set) var numbers: [Int] = []
    /// The first change of watches that no recorded action explains, by its position.
    package private(set) var unexplained: Int?
    /// The positions at which the session's watch changed, and the new one.
    private var changes: [(sequence: Int, watch: Int)] = []
    /// The positions between which reachability changed because of another watch.
    private var switches: [ClosedRange<Int>] = []

    package static func == (first: TapeWatches, second: TapeWatches) -> Bool {
        first.numbers == second.numbers && first.unexplained == second.unexplained
            && first.changes.elementsEqual(second.changes, by: ==) && first.switches == second.switches
    }

    /// - Parameter events: The events of the phone, in order.
    init(_ events: [AppEvent]) {
        var watch: Int?
        var (next, begin): (Int?, Int?) = (nil, nil)
        var isInactive = false
        func change(to new: Int?, _ event: AppEvent) {
            watch = new
            if let new { changes.append((event.sequence, new)) }
        }
        for event in events {
            switch event.kind {
            case "connected":
                guard let number = event.package, !numbers.contains(number) else { continue }
                numbers.append(number)
                // The first one is worn, as is one that is paired while none is.
                if watch == nil { change(to: number, event) }
            case "watches":
                let words = (event.words ?? "").split(separator: " ").map(String.init)
                guard words.count > 1, let number = Self.number(words[1]) else { continue }
                switch words[0] {
                case "switch" where number != watch: (next, begin) = (number, event.sequence)
                case "pair" where watch == nil: change(to: number, event)
                case "unpair" where number == watch: watch = nil
                default: break
                }
            case "didBecomeInactive": isInactive = true
            case "didDeactivate":
                if next == nil, unexplained == nil { unexplained = event.sequence }
                change(to: next ?? watch, event)
                (next, isInactive) = (nil, false)
            // Without an activated session, nobody is asked.
            case "watchStateDidChange" where next != nil && !isInactive:
                change(to: next, event)
                next = nil
            case "reachabilityDidChange" where event.words == "reachable" && next == nil:
                if let start = begin { switches.append(start...event.sequence) }
                begin = nil
            default: break
            }
        }
        if let start = begin, let last = events.last { switches.append(start...max(start, last.sequence)) }
    }

    /// Returns the number of a watch in an action's words, such as `#2`.
    package static func number(_ word: String) -> Int? { word.hasPrefix("#") ? Int(word.dropFirst()) : nil }

    /// Returns the watch that the session was with at a position; nil before the first one.
    func watch(at sequence: Int) -> Int? { changes.last { $0.sequence <= sequence }?.watch }

    /// Returns true if reachability changed because of another watch.
    func isSwitching(at sequence: Int) -> Bool { switches.contains { $0.contains(sequence) } }

    /// Returns the name of a watch, as `watchlink run` gives it: `watch`, `watch2` …
    package func name(of number: Int) -> String {
        let place = (numbers.firstIndex(of: number) ?? 0) + 1
        return place == 1 ? "watch" : "watch\(place)"
    }
}
