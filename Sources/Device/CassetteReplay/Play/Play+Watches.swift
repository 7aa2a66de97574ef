/// The parts of a phone's watches.
extension Play {
    /// The least time between the first connections of two watches, in microseconds. 100 ms: the one that was worn must be
    /// known to the phone first, and a connection takes less.
    private static let arrivalGap: Int64 = 100_000

    /// Derives the part of one of a phone's watches.
    ///
    /// Each has a program of its own, and they are not equally fast in each run. Hence the player of the worn watch does what
    /// people do to the phone, after what it does itself, and what concerns another watch waits for that.
    ///
    /// - Parameters:
    ///   - tape: The whole tape.
    ///   - watch: The number of the watch.
    package init(_ tape: AppTape, of watch: Int) {
        let part = tape.part(of: watch)
        self.init(part)
        let numbers = tape.watches.numbers
        let place = numbers.firstIndex(of: watch) ?? 0
        let earliest = place == 0 ? nil : Self.earliest(of: place, tape)
        moves = moves.compactMap { move in
            var move = move
            if let earliest { move.moment = move.moment.notBefore(earliest) }
            switch move.kind {
            case .act(_, let words):
                guard tape.actor(at: move.sequence) == watch else { return nil }
                move.needs = Self.needs(of: words, at: move.sequence, tape, part, watch)
            case .activate:
                // The phone takes the first one that it gets to know for the worn one.
                move.needs = (numbers.prefix(place) + (tape.absentWorn.map { [$0] } ?? [])).map { .known($0) }
            case .send, .answer, .link, .show, .fault: break
            }
            return move
        }
        moves += Self.introductions(tape, by: watch)
    }

    private static func earliest(of place: Int, _ tape: AppTape) -> Int64 {
        let gap = Int64(place) * arrivalGap
        guard case .at(let first) = arrival(tape.part(of: tape.watches.numbers[0]))?.moment else { return gap }
        return gap + first
    }

    /// Returns what lets the phone know the watches that it knew at the beginning although they were not connected: it is done
    /// by the player of the first watch.
    private static func introductions(_ tape: AppTape, by watch: Int) -> [Move] {
        guard tape.watches.numbers.first == watch else { return [] }
        return tape.events.compactMap { event in
            guard let present = PresentWatch(event), present.isPaired, !present.isConnected,
                tape.watches.known.contains(present.number)
            else { return nil }
            let worn = tape.watches.present.first { $0.isActive && $0 != present }
            return Move(
                sequence: event.sequence, moment: .at(event.time),
                kind: .act(command: "watches", words: ["pair", "#\(present.number)"]),
                needs: [.control] + (worn.map { [.known($0.number)] } ?? []))
        }
    }

    /// Returns what an action on the phone waits for, by its words.
    private static func needs(
        of words: [String], at sequence: Int, _ tape: AppTape, _ part: AppTape, _ watch: Int
    ) -> [Move.Need] {
        guard words.count > 1, let other = TapeWatches.number(words[1]) else { return [] }
        guard words[0] != "pair" else { return [.control] }
        var needs: [Move.Need] = [.known(other)]
        guard words[0] == "switch", !tape.namesWatches else { return needs }
        if tape.part(of: other).isConnected(before: sequence) { needs.append(.connected(other)) }
        if let worn = tape.watches.watch(at: sequence) { needs.append(.worn(worn)) }
        if tape.isWornReachable(before: sequence) { needs.append(.served) }
        return needs + [.order] + part.arrived(before: sequence).map { .deed($0) }
    }
}

extension Move.Moment {
    /// Returns the moment, put off to a time if it is earlier.
    fileprivate func notBefore(_ earliest: Int64) -> Self {
        switch self {
        case .at(let time): .at(max(time, earliest))
        case .likelyAfter(let deed, let delay, let time):
            .likelyAfter(deed: deed, delay: delay, time: max(time, earliest))
        case .after: self
        }
    }
}

extension AppTape {
    /// The watch that was worn from the beginning and was not connected then; nil if it was.
    fileprivate var absentWorn: Int? { watches.present.first { $0.isActive && !$0.isConnected }?.number }

    /// Returns the watch whose player does what a person did at a position.
    fileprivate func actor(at sequence: Int) -> Int? {
        guard !namesWatches, let worn = watches.watch(at: sequence), watches.numbers.contains(worn) else {
            return watches.numbers.first
        }
        return worn
    }

    /// Returns true if the only watch of this part was connected before a position.
    fileprivate func isConnected(before sequence: Int) -> Bool {
        let last = events.last { $0.sequence < sequence && $0.isOfDevice }
        return last.map { PresentWatch($0)?.isConnected ?? ($0.kind == "connected") } ?? false
    }

    /// Returns true if the watch that was worn before a position was reachable.
    fileprivate func isWornReachable(before sequence: Int) -> Bool {
        let last = events.last {
            $0.sequence < sequence
                && ($0.kind == "reachabilityDidChange" || PresentWatch($0)?.isActive == true)
        }
        return last.map { PresentWatch($0)?.isReachable ?? ($0.words == "reachable") } ?? false
    }

    /// Returns the deeds that had certainly arrived at the counterpart before a position.
    fileprivate func arrived(before sequence: Int) -> [Int] {
        deeds.filter { deed in
            guard deed.sequence < sequence else { return false }
            if deed.role == .answer {
                return first(of: deed.package) { $0.kind == "write" && $0.sequence > deed.sequence }.map {
                    $0.error == nil && $0.sequence < sequence
                } ?? false
            }
            guard deed.role.isCall, let outcome = outcome(of: deed.package) else { return false }
            return outcome.error == nil && outcome.sequence < sequence
        }.map(\.sequence)
    }
}
