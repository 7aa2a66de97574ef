import Cassettes

/// The assignment of a replay's deeds to the recorded ones.
///
/// Deeds are matched by their cause: an answer by its message, a call by the call of the app's code that it was made in,
/// and calls without such a cause by their order. Among several, the most similar content decides.
struct DeedMatching {
    struct Pair {
        let recorded: AppEvent
        let replayed: AppEvent
        /// True if both have the same cause.
        var isSameOccasion = true
    }

    /// The deeds of one kind with one cause.
    private struct Group: Hashable, Comparable {
        let kind: String
        let watch: String
        let package: Int?
        let occasion: Int?

        static func < (first: Group, second: Group) -> Bool {
            (first.kind, first.watch, first.package ?? 0, first.occasion ?? 0)
                < (second.kind, second.watch, second.package ?? 0, second.occasion ?? 0)
        }
    }

    /// The events of one kind with one watch.
    private struct Given: Hashable {
        let kind: String
        let watch: String
    }

    private(set) var pairs: [Pair] = []
    private(set) var missing: [AppEvent] = []
    private(set) var extra: [AppEvent] = []
    /// The recorded messages and transfers, by those of the replay that stand for them.
    private(set) var packages: [Int: Int] = [:]

    private let recorded: AppTape
    private let replayed: AppTape
    /// True if both courses say with which watch each message was. Watches that are served at the same time are then
    /// matched each for itself: which of them is first is chance.
    private let namesWatches: Bool
    private let variables: (String) -> VariablePaths
    /// The recorded events in which the app's code was called, by the replay's.
    private(set) var occasions: [Int: Int] = [:]

    /// The time after which nothing is missed, and nothing is too much.
    private let end: Int64

    /// - Parameters:
    ///   - end: The time after which nothing is missed, and nothing is too much, in microseconds.
    ///   - variables: The key paths whose values differ from run to run, for a kind of event.
    init(
        _ recorded: AppTape, _ replayed: AppTape, until end: Int64 = .max,
        variables: @escaping (String) -> VariablePaths
    ) {
        (self.recorded, self.replayed, self.end, self.variables) = (recorded, replayed, end, variables)
        namesWatches = recorded.namesWatches && replayed.namesWatches
        matchOccasions()
        matchInRounds()
        rematch()
        pairs.sort { $0.recorded.sequence < $1.recorded.sequence }
    }

    // MARK: - Calls of the app's code

    /// Matches the deliveries and notices, which the counterpart caused in the recorded order, but for those whose cause
    /// did not come.
    private mutating func matchOccasions() {
        let given = given(replayed)
        for (key, old) in self.given(recorded) {
            let new = given[key] ?? []
            let inOrder = aligned(old, new)
            for pair in inOrder + late(old, new, beside: inOrder) {
                let (old, new) = (old[pair.old], new[pair.new])
                occasions[new.sequence] = old.sequence
                if let old = old.package, let new = new.package { packages[new] = old }
            }
        }
    }

    /// Matches what came out of its order with what has the same content.
    private func late(
        _ old: [AppEvent], _ new: [AppEvent], beside pairs: [(old: Int, new: Int)]
    ) -> [(old: Int, new: Int)] {
        let (known, found) = (Set(pairs.map(\.old)), Set(pairs.map(\.new)))
        var free = new.indices.filter { !found.contains($0) }
        return old.indices.filter { !known.contains($0) }.compactMap { index in
            guard let place = free.firstIndex(where: { cost(from: old[index], to: new[$0]) == 0 }) else { return nil }
            return (index, free.remove(at: place))
        }
    }

    private func given(_ tape: AppTape) -> [Given: [AppEvent]] {
        Dictionary(grouping: tape.events.filter { Self.isGiven($0) }) { Given(kind: $0.kind, watch: watch($0, tape)) }
    }

    /// Returns the name of an event's watch; empty if the courses name none.
    private func watch(_ event: AppEvent, _ tape: AppTape) -> String {
        namesWatches ? tape.watchName(of: event) ?? "" : ""
    }

    private static func isGiven(_ event: AppEvent) -> Bool {
        switch event.role {
        case .delivery, .notice: true
        case .call, .answer, .droppedAnswer, .cancel, .activation, .refusal, .outcome, .link, .action, .fault: false
        }
    }

    // MARK: - Deeds

    /// Matches the deeds with causes that are matched already, then those in the calls for their outcomes, and so on.
    private mutating func matchInRounds() {
        var (old, new) = (recorded.deeds, replayed.deeds.filter { !isLate($0) })
        // A recording can begin later, a replay cannot.
        if !recorded.begins, replayed.begins, let first = new.firstIndex(where: { $0.role == .activation }) {
            new.remove(at: first)
        }
        while true {
            let known = Set(occasions.values)
            let due = old.filter { $0.occasion.map(known.contains) ?? true }
            let found = new.filter { $0.occasion.map { occasions[$0] != nil } ?? true }
            guard !due.isEmpty || !found.isEmpty else { break }
            let (dueNow, foundNow) = (Set(due.map(\.sequence)), Set(found.map(\.sequence)))
            old.removeAll { dueNow.contains($0.sequence) }
            new.removeAll { foundNow.contains($0.sequence) }
            match(due, found)
            for event in replayed.events where event.role == .outcome {
                guard let package = event.package.flatMap({ packages[$0] }) else { continue }
                occasions[event.sequence] = recorded.outcome(of: package)?.sequence
            }
        }
        missing += old
        extra += new
    }

    /// Matches deeds with the same cause.
    private mutating func match(_ due: [AppEvent], _ found: [AppEvent]) {
        let new = Dictionary(grouping: found) { event in
            Group(
                kind: Self.kind(event), watch: watch(event, replayed), package: answered(event),
                occasion: Self.isAnswer(event) ? nil : event.occasion.flatMap { occasions[$0] })
        }
        let old = Dictionary(grouping: due) { event in
            Group(
                kind: Self.kind(event), watch: watch(event, recorded),
                package: Self.isAnswer(event) ? event.package : nil,
                occasion: Self.isAnswer(event) ? nil : event.occasion)
        }
        for group in Set(old.keys).union(new.keys).sorted() {
            take(old[group] ?? [], new[group] ?? [])
        }
        missing.sort { $0.sequence < $1.sequence }
        extra.sort { $0.sequence < $1.sequence }
    }

    /// Matches the deeds of a group in order; copies of others that are too many take nobody's place.
    private mutating func take(_ old: [AppEvent], _ all: [AppEvent]) {
        var copies: Set<Int> = []
        if all.count > old.count {
            let more = zip(Self.repeats(in: old), Self.repeats(in: all)).flatMap { $1.dropFirst($0.count) }
            copies = Set(more.prefix(all.count - old.count))
        }
        extra += copies.sorted().map { all[$0] }
        let new = all.indices.filter { !copies.contains($0) }.map { all[$0] }
        let pairs = aligned(old, new)
        for found in pairs { pair(old[found.old], new[found.new]) }
        let (left, right) = (Set(pairs.map(\.old)), Set(pairs.map(\.new)))
        let lost = old.indices.filter { !left.contains($0) }.map { old[$0] }
        let more = new.indices.filter { !right.contains($0) }.map { new[$0] }
        // An answer belongs to its message, whatever it says.
        let answers = Array(zip(lost.prefix(while: Self.isAnswer), more))
        for (answer, other) in answers { pair(answer, other) }
        missing += lost.dropFirst(answers.count)
        extra += more.dropFirst(answers.count)
    }

    /// Returns the places of deeds by what they do: calls that do it again with the same identifiers are together.
    private static func repeats(in deeds: [AppEvent]) -> [[Int]] {
        var repeats: [[Int]] = []
        var known: [String: Int] = [:]
        for (index, deed) in deeds.enumerated() {
            guard deed.role.isCall, let content = deed.content, !content.identifiers.isEmpty else {
                repeats.append([index])
                continue
            }
            if let place = known[content.text] {
                repeats[place].append(index)
            } else {
                known[content.text] = repeats.count
                repeats.append([index])
            }
        }
        return repeats
    }

    private func aligned(_ old: [AppEvent], _ new: [AppEvent]) -> [(old: Int, new: Int)] {
        Burst(old, new) { cost(from: old[$0], to: new[$1]) }.pairs
    }

    /// Returns true for what the app did by itself after the end. What it did because of its counterpart can be late only because
    /// that was put off.
    private func isLate(_ event: AppEvent) -> Bool { event.time > end && event.role.isCall && event.occasion == nil }

    /// The cost of one other value, with which a deed is still the same one.
    private static let leastChange = 2
    /// The most that other values cost together: less than another deed, as a state of an app can have many that differ
    /// from run to run.
    private static let mostValues = Alignment.mostCost - 1

    /// Matches what is left with similar deeds that had another cause or another place.
    private mutating func rematch() {
        let (old, first) = (missing, pairs.count)
        missing = []
        // What was done only after the end can still be what is missing, but not what is another message as well.
        extra += replayed.deeds.filter(isLate)
        defer {
            missing.removeAll { $0.time > end }
            extra.removeAll { $0.time > end }
        }
        for event in old {
            let costs = extra.map { candidate in
                Self.kind(candidate) == Self.kind(event) && !Self.isAnswer(event)
                    && watch(candidate, replayed) == watch(event, recorded)
                    ? cost(from: event, to: candidate) : Alignment.mostCost
            }
            guard let least = costs.min(), least < Alignment.mostCost, let place = costs.firstIndex(of: least),
                !isLate(extra[place]) || least <= Self.leastChange
            else {
                missing.append(event)
                continue
            }
            pair(event, extra.remove(at: place))
        }
        for index in first..<pairs.count {
            noteOccasion(of: index)
            uncross(index)
        }
    }

    private mutating func noteOccasion(of index: Int) {
        let pair = pairs[index]
        pairs[index].isSameOccasion = pair.replayed.occasion.flatMap { occasions[$0] } == pair.recorded.occasion
    }

    /// Lets a deed that had another cause change partners with those of its kind that it would change places with, if
    /// they are as alike the other way round: nothing says then that their order is another one.
    private mutating func uncross(_ index: Int) {
        guard pairs[index].recorded.role.isCall else { return }
        for other in pairs.indices where other != index {
            let (one, two) = (pairs[index], pairs[other])
            guard one.recorded.kind == two.recorded.kind,
                (one.recorded.sequence < two.recorded.sequence) != (one.replayed.sequence < two.replayed.sequence),
                watch(one.recorded, recorded) == watch(two.recorded, recorded),
                cost(from: one.recorded, to: two.replayed) + cost(from: two.recorded, to: one.replayed)
                    <= cost(from: one.recorded, to: one.replayed) + cost(from: two.recorded, to: two.replayed)
            else { continue }
            for (place, recorded, replayed) in [
                (index, one.recorded, two.replayed), (other, two.recorded, one.replayed),
            ] {
                pairs[place] = Pair(recorded: recorded, replayed: replayed)
                noteOccasion(of: place)
                if let old = recorded.package, let new = replayed.package { packages[new] = old }
            }
        }
    }

    private mutating func pair(_ recorded: AppEvent, _ replayed: AppEvent) {
        pairs.append(Pair(recorded: recorded, replayed: replayed))
        if let old = recorded.package, let new = replayed.package, packages[new] == nil { packages[new] = old }
    }

    private static func isAnswer(_ event: AppEvent) -> Bool { event.role == .answer || event.role == .droppedAnswer }

    /// Answers and released handlers are one kind: either is the end of a message.
    private static func kind(_ event: AppEvent) -> String { isAnswer(event) ? "answer" : event.kind }

    /// Returns the recorded message that an answer of the replay belongs to.
    private func answered(_ event: AppEvent) -> Int? {
        guard Self.isAnswer(event) else { return nil }
        // A negative number for one that no recorded message stands for.
        return event.package.map { packages[$0] ?? -$0 }
    }

    /// Returns the difference of two deeds or deliveries: 0 for the same.
    private func cost(from event: AppEvent, to candidate: AppEvent) -> Int {
        // Values are bound for each pair alone: which pairs belong together is only known afterwards.
        var bindings = Bindings()
        let changes = ContentComparison.changes(
            from: event.content, to: candidate.content, &bindings, variables: variables(event.kind))
        let isOther = event.wantsReply != candidate.wantsReply
        // Another value is likelier than another deed.
        let values = Self.leastChange * changes.count { $0.kind.isOfValue }
        return changes.filter { !$0.kind.isOfValue }.reduce((isOther ? 1 : 0) + min(values, Self.mostValues)) {
            switch $1.verdict {
            case .same: $0
            case .equivalent: $0 + 1
            case .changed, .broken: $0 + 4
            }
        }
    }
}
