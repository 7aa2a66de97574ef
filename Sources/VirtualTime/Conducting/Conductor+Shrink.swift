extension Conductor {
    /// A course is confirmed, and then tried with nothing in it.
    private static let triesOfAWhole = 2

    /// Makes the course of a failed performance small: the conductor's own, and that of one process after the other. Most failures need nothing of
    /// most courses, so each is first left out as a whole, and only then what is left is gone through piece by piece.
    ///
    /// - Parameters:
    ///   - fails: True if a performance fails in the same way as the first.
    ///   - mostTries: The most performances for all of them together.
    /// - Returns: The smallest course found, which was performed and failed, and the number of performances. Nil if the failure does not come
    ///   again.
    public func shrink(
        _ performance: Performance, of script: Script, mostTries: Int = Shrinker.usualTries,
        fails: (Performance) -> Bool
    ) throws(ConductorError) -> (course: JointCourse, tries: Int)? {
        var best = performance.followed
        var tries = 0
        let parts: [Life?] = [nil] + performance.processes.map(\.life)
        for (part, most) in parts.map({ ($0, Self.triesOfAWhole) }) + parts.map({ ($0, mostTries) }) {
            let left = min(most, mostTries - tries)
            guard left > 0 else { break }
            let shrinker = Shrinker(mostTries: left)
            let shrunk = try shrinker.shrink(best[part]) { course throws(ConductorError) in
                var candidate = best
                candidate[part] = course
                let again = try perform(script, candidate)
                return Shrinker.Trial(decisions: again.decisions(of: part), fails: fails(again))
            }
            guard let shrunk else { return nil }
            best[part] = shrunk.course
            tries += shrunk.tries
        }
        return (best, tries)
    }
}

extension JointCourse {
    /// The course of a process, or the conductor's own.
    fileprivate subscript(part: Life?) -> Course {
        get { part.map { course(of: $0) } ?? conductor }
        set { if let part { processes[part] = newValue } else { conductor = newValue } }
    }
}

extension Performance {
    /// Those of a process, none if it did not begin; or the conductor's own.
    fileprivate func decisions(of part: Life?) -> [Decision] {
        guard let part else { return decisions }
        return processes.first { $0.life == part }?.world.decisions ?? []
    }
}
