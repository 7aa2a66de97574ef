import CassetteReplay
import Cassettes
import Foundation
import VirtualTime

/// The comparison of a build's courses with the recorded or accepted one.
struct CourseRule {
    /// A course with what was found in it.
    struct Judged {
        let judgement: Judgement
        /// Nil if the build recorded no course before it failed.
        let comparison: TapeComparison?
        let replayed: ReplayedApp
        let keepsContract: Bool

        /// True if what differs may be chance: a build that fails, or leaves its counterpart without an answer, never does so
        /// by chance.
        var mayBeChance: Bool { judgement.verdict == .changed && replayed.failure == nil }
    }

    let tape: AppTape
    let accepted: AcceptedCourse?
    let expected: [ExpectedChange]
    let contract: Contract?

    /// The recorded or accepted course.
    var reference: AppTape { accepted?.tape ?? tape }

    /// Compares a course.
    ///
    /// - Parameter others: Other courses of the same build, which show what is chance.
    func judged(_ replayed: ReplayedApp, beside others: [AppTape]) -> Judged {
        // A replay lasts longer than the recording, until time-outs have passed; an accepted course does so, too.
        let comparison = replayed.tape.map { compared($0, beside: others) }
        let deviations = comparison?.deviations ?? []
        let breaches = replayed.tape.flatMap { contract?.breaches(by: $0) }
        // An app may end when all is done, and a call that does not return when nothing follows makes no difference.
        let end = replayed.failure ?? (deviations.contains(where: \.isMissing) ? replayed.hang ?? replayed.exit : nil)
        let failure = end.map { ending($0, replayed, comparison) }
        let found =
            (failure.map { [$0] } ?? [])
            + withFindings(of: replayed, deviations.filter { failure == nil || !$0.isMissing }) + (breaches ?? [])
        let evidence = SeedEvidence(others.map { compared($0, beside: others).deviations })
        return Judged(
            judgement: Judgement(
                found, chance: replayed.failure == nil ? evidence.chance(found) : [], expecting: expected, at: Date()),
            comparison: comparison, replayed: replayed, keepsContract: breaches?.isEmpty == true)
    }

    /// The end of what is compared, in microseconds. In an accepted course, the app was given later what the recording has, such as
    /// the messages of a watch whose connection takes longer: the end is as long after the last of these.
    private var end: Int64 {
        guard let accepted else { return tape.end }
        func given(_ tape: AppTape) -> [AppEvent] {
            tape.events.filter { if case .delivery = $0.role { true } else { false } }
        }
        let (recorded, given) = (given(tape).filter { $0.time <= tape.end }, given(accepted.tape))
        guard let last = recorded.last, given.count >= recorded.count else { return tape.end }
        return max(tape.end, given[recorded.count - 1].time + tape.end - last.time)
    }

    private func compared(_ course: AppTape, beside others: [AppTape]) -> TapeComparison {
        TapeComparison(
            reference, course, until: end, others: others, variables: accepted?.variables.paths ?? [:])
    }

    /// Returns the deviation of a program that has failed. It explains all that is missing, what the program did in its last
    /// moments included, as its recorder fell with it.
    private func ending(_ failure: String, _ replayed: ReplayedApp, _ comparison: TapeComparison?) -> Deviation {
        let place = departure(of: replayed, comparison)
        var words = [ReplayedApp.heading(of: failure)]
        if let event = place.given {
            words.append("the last that it was given was event \(event.sequence), \(event.kind)")
        }
        if place.lost > 0 {
            words.append("\(place.lost) recorded \(place.lost == 1 ? "deed is" : "deeds are") not in its course")
        }
        // A report of threads says more than what the program wrote last, which for a call that does not return is that itself.
        let report = failure.split(separator: "\n").dropFirst().map(String.init)
        let lastWords = failure == replayed.hang ? [] : replayed.lastWords
        return Deviation(
            recorded: place.event, replayed: replayed.tape?.events.last?.sequence, event: "program",
            .ending(
                ([words.joined(separator: "; ")] + (report.isEmpty ? lastWords : report))
                    .joined(separator: "\n    ")))
    }

    /// Returns deviations with what the program itself said was wrong, at the event that it had been given last, unless that was
    /// accepted.
    private func withFindings(of replayed: ReplayedApp, _ deviations: [Deviation]) -> [Deviation] {
        let new = replayed.findings.filter { accepted?.findings.contains($0.word.cause) != true }
        guard !new.isEmpty else { return deviations }
        let inReference = inReference()
        var all = deviations
        for (word, given) in new {
            let event = given.flatMap(inReference)
            let finding = Deviation(
                recorded: event, replayed: nil, event: "program", .finding(word.line, cause: word.cause))
            let place = event.flatMap { event in all.firstIndex { $0.recorded ?? 0 > event } }
            all.insert(finding, at: place ?? all.endIndex)
        }
        return all
    }

    /// Returns the way from an event of the cassette to that of the course that is compared with.
    private func inReference() -> (Int) -> Int? {
        guard let accepted else { return { $0 } }
        let places = TapeComparison(tape, accepted.tape).places
        let events = Dictionary(places.map { ($1, $0) }, uniquingKeysWith: min)
        return { events[$0] }
    }

    /// Returns the place at which a program that has failed left the course that it is compared with.
    private func departure(of replayed: ReplayedApp, _ comparison: TapeComparison?) -> FailurePlace {
        guard let course = replayed.tape, let comparison else { return FailurePlace(atStartOf: reference) }
        let inReference = inReference()
        var given = replayed.lastPlayed.flatMap(inReference)
        // What a counterpart sends reaches no app whose delegate does not return.
        if replayed.failure == nil, replayed.hang != nil {
            given = course.events.last(where: \.role.isOccasion).flatMap { comparison.places[$0.sequence] }
        }
        let isWhole = replayed.cassette?.manifest.state == .complete
        let end = replayed.end.map { $0 - course.start - Int64(CassetteLimits.collecting / .microseconds(1)) }
        return FailurePlace(
            in: reference, given: given, arrived: Set(replayed.arrivedDeeds.compactMap(inReference)), comparison,
            course,
            written: isWhole ? .max : end ?? course.duration)
    }
}
