import CassetteReplay
import Cassettes
import Configuration
import Foundation
import LinkProtocol
import Processes

/// A build against a cassette.
struct BuildTrial {
    let judgement: Judgement
    /// Nil if the build recorded no course before it failed.
    let comparison: TapeComparison?
    /// The recorded or accepted course.
    let reference: AppTape
    let replayed: ReplayedApp
    let isAccepted: Bool
    /// True if there is a contract, and the build keeps it.
    let keepsContract: Bool
    /// The seed of the course; another one than asked for if the build takes the recorded course by chance.
    let seed: UInt64
    /// The number of seeds that were tried.
    let tried: Int
    /// The advice if the build differs, as it lacks what it had to begin with.
    let hints: [String]

    /// Runs a build.
    ///
    /// A difference that a build shows only by chance is no change: if its course differs, and it has not failed, other seeds
    /// are tried, until one of them does not differ, or each difference is lacking in one of them.
    ///
    /// - Parameters:
    ///   - expected: The intended changes.
    ///   - contract: What the build must keep, too.
    init(
        _ build: TestedBuild, against cassette: Cassette, expecting expected: [ExpectedChange],
        keeping contract: Contract? = nil, seed: UInt64, in time: ReplayTime
    ) throws {
        let tape = try Self.tape(of: cassette, for: build)
        let former = try FormerStarts(before: cassette)
        let rule = CourseRule(
            tape: tape, accepted: try AcceptedCourse(of: cassette, side: build.side), expected: expected,
            contract: contract)
        let first = try former.replay(build, tape, seed: seed, in: time)
        if first.tape == nil, first.failure == nil {
            throw ReplayError.notRecorded(program: build.program, lines: first.lastWords)
        }
        var (chosen, chosenSeed) = (rule.judged(first, beside: []), seed)
        var tried = 1
        if case .virtual = time, chosen.mayBeChance {
            var others: [AppTape] = []
            for number in Self.otherSeeds where chosen.mayBeChance {
                let other = try former.replay(build, tape, seed: seed &+ number, in: time)
                tried += 1
                guard let course = other.tape, other.failure == nil else { continue }
                let judged = rule.judged(other, beside: others + [first.tape].compactMap(\.self))
                others.append(course)
                if judged.mayBeChance {
                    chosen = rule.judged(first, beside: others)
                } else {
                    (chosen, chosenSeed) = (judged, seed &+ number)
                }
            }
        }
        (judgement, comparison, replayed) = (chosen.judgement, chosen.comparison, chosen.replayed)
        (reference, isAccepted, keepsContract) = (rule.reference, rule.accepted != nil, chosen.keepsContract)
        (self.seed, self.tried) = (chosenSeed, tried)
        hints = Self.hints(chosen, rule, former, build)
    }

    /// The numbers that are added to the seed for further runs if the course differs. Four: what is chance is then seen both
    /// ways in all but one of sixteen cases, and in most courses several times.
    private static let otherSeeds: ClosedRange<UInt64> = 1...4

    /// Returns the advice on a build that differs, if it may do so for lack of what the recording does not have.
    private static func hints(
        _ chosen: CourseRule.Judged, _ rule: CourseRule, _ former: FormerStarts, _ build: TestedBuild
    ) -> [String] {
        let judgement = chosen.judgement
        guard judgement.verdict > .equivalent else { return [] }
        var hints: [String] = []
        if former.areMissing, build.state == nil { hints.append(FormerStarts.hint(build.side)) }
        if rule.accepted == nil, judgement.findings.contains(where: { $0.deviation.isOfIdentity }) {
            hints.append(hiddenValues)
        }
        if rule.accepted == nil, chosen.replayed.failure == nil, let comparison = chosen.comparison {
            hints += hint(on: comparison)
        }
        return hints
    }

    /// Returns the advice on a course with less than half of the recorded deeds; none on others.
    static func hint(on comparison: TapeComparison) -> [String] {
        comparison.matched * 2 < comparison.recorded ? [hiddenKinds] : []
    }

    private static let hiddenKinds =
        "hint: most of what was recorded was not done: an app that decides by a value, such as the type of a message, does nothing with a made-up one; keep its key path with --keep or WATCHLINK_RECORD_KEEP, and record again"

    private static let hiddenValues =
        "hint: the recording hides values, and an app that sorts, compares or filters by them does so with made-up ones: accept the course of the build that was recorded with --accept, which later builds are compared with"

    /// Returns the tape of a build's side, if a replay can begin with it.
    static func tape(of cassette: Cassette, for build: TestedBuild) throws(ReplayError) -> AppTape {
        guard let tape = AppTape(cassette, side: build.side) else {
            throw .noSide(path: cassette.path, side: build.side, sides: cassette.manifest.sides)
        }
        // What a service does follows from what its counterparts send, whenever the recording began.
        guard tape.begins || build.isService else { throw .noBeginning(path: cassette.path, side: build.side) }
        guard cassette.manifest.state != .incomplete else {
            throw .incomplete(path: cassette.path, reason: cassette.manifest.reason ?? "no reason is known")
        }
        // A service that serves all of them does so at the same time: the time of a message does not say whose it was.
        guard
            !build.isService || !tape.hasSeveralWatches || tape.namesWatches
                || cassette.manifest.serving == CompanionPolicy.Serving.active.rawValue
        else {
            throw .manyWatches(path: cassette.path)
        }
        // The watch of the first messages was the one that was worn before.
        guard
            tape.begins || tape.watches.isBeginningKnown || tape.namesWatches
                || !(tape.hasSeveralWatches || tape.watches.hasChanges)
        else { throw .unknownBeginning(path: cassette.path) }
        if tape.hasSeveralWatches, let event = tape.watches.unexplained {
            throw .unexplainedSwitch(path: cassette.path, event: event)
        }
        return tape
    }
}
