import Cassettes

/// The watches of a phone in a cassette, and which of them its session was with, and when.
package struct TapeWatches: Equatable, Sendable {
    /// The numbers of the watches that were connected, in the order in which that is first seen.
    package private(set) var numbers: [Int] = []
    /// The numbers of all watches: those that were never connected are the last.
    package private(set) var known: [Int] = []
    /// The first change of watches that no recorded action explains, by its position.
    package private(set) var unexplained: Int?
    /// The positions at which the session's watch changed, and the new one.
    private var changes: [(sequence: Int, watch: Int)] = []
    /// The positions between which reachability changed because of another watch.
    private var switches: [ClosedRange<Int>] = []

    package static func == (first: TapeWatches, second: TapeWatches) -> Bool {
        first.known == second.known && first.unexplained == second.unexplained
            && first.changes.elementsEqual(second.changes, by: ==) && first.switches == second.switches
    }

    /// - Parameter events: The events of the phone, in order.
    init(_ events: [AppEvent]) {
        var watch: Int?
        var (next, begin): (Int?, Int?) = (nil, nil)
        var isInactive = false
        // Those to which the phone changed, or whose content had waited, before they connected, if they ever did.
        var absent: [Int] = []
        var seen: Set<Int> = []
        func change(to new: Int?, _ event: AppEvent) {
            watch = new
            if let new { changes.append((event.sequence, new)) }
        }
        for event in events {
            // A recording can begin after a watch has connected.
            if let number = Self.connected(event), seen.insert(number).inserted {
                numbers.append(number)
                // The first one is worn, as is one that is paired while none is.
                if watch == nil { change(to: number, event) }
            }
            switch event.kind {
            case "watches":
                let words = (event.words ?? "").split(separator: " ").map(String.init)
                guard words.count > 1, let number = Self.number(words[1]) else { continue }
                switch words[0] {
                case "switch" where number != watch:
                    // A watch that is not there was never reached.
                    if let start = begin { switches.append(start...event.sequence) }
                    (next, begin) = (number, event.sequence)
                    if !seen.contains(number) { absent.append(number) }
                case "pair" where watch == nil: change(to: number, event)
                case "unpair" where number == watch: watch = nil
                // The session stays with the former one.
                case "unpair" where number == next: next = watch
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
            default: if let number = event.watch, !seen.contains(number) { absent.append(number) }
            }
        }
        known = numbers + absent.filter { seen.insert($0).inserted }
        if let start = begin, let last = events.last { switches.append(start...max(start, last.sequence)) }
    }

    /// Returns the watch that an event shows to be connected.
    private static func connected(_ event: AppEvent) -> Int? {
        switch event.role {
        case .link where event.kind == "connected": event.package
        case .link, .notice: event.watch
        default: nil
        }
    }

    /// Returns the number of a watch in an action's words, such as `#2`.
    package static func number(_ word: String) -> Int? { word.hasPrefix("#") ? Int(word.dropFirst()) : nil }

    /// Returns the watch that the session was with at a position; nil before the first one.
    func watch(at sequence: Int) -> Int? { changes.last { $0.sequence <= sequence }?.watch }

    /// Returns true if reachability changed because of another watch.
    func isSwitching(at sequence: Int) -> Bool { switches.contains { $0.contains(sequence) } }

    /// Returns the name of a watch, as `watchlink run` gives it: `watch`, `watch2` …
    package func name(of number: Int) -> String {
        let place = (known.firstIndex(of: number) ?? 0) + 1
        return place == 1 ? "watch" : "watch\(place)"
    }
}
