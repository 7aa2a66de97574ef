import CassetteReplay
import Cassettes
import Configuration
import Foundation
import LinkProtocol

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

    /// Runs a build.
    ///
    /// - Parameters:
    ///   - expected: The intended changes.
    ///   - contract: What the build must keep, too.
    init(
        _ build: TestedBuild, against cassette: Cassette, expecting expected: [ExpectedChange],
        keeping contract: Contract? = nil, seed: UInt64, in time: ReplayTime
    ) throws {
        let tape = try Self.tape(of: cassette, for: build)
        replayed = try ReplayedApp.run(build, against: cassette, tape, seed: seed, in: time)
        let accepted = try AcceptedCourse(of: cassette, side: build.side)
        reference = accepted?.tape ?? tape
        isAccepted = accepted != nil
        if replayed.tape == nil, replayed.failure == nil {
            throw ReplayError.notRecorded(program: build.program, lines: replayed.lastWords)
        }
        // A replay lasts longer than the recording, until time-outs have passed; an accepted course does so, too.
        let compared = { [replayed, reference] (others: [AppTape]) in
            replayed.tape.map {
                TapeComparison(
                    reference, $0, until: tape.end, others: others, variables: accepted?.variables.paths ?? [:])
            }
        }
        let first = compared([])
        if case .virtual = time, first?.hasOtherOrder == true {
            comparison = compared(
                try Self.otherSeeds.compactMap {
                    try ReplayedApp.run(build, against: cassette, tape, seed: seed &+ $0, in: time).tape
                })
        } else {
            comparison = first
        }
        let deviations = comparison?.deviations ?? []
        let told = replayed.tape.flatMap { contract?.breaches(by: $0) }
        let breaches = told ?? []
        keepsContract = told?.isEmpty == true
        // An app may end when all is done.
        let end = replayed.failure ?? (deviations.contains(where: \.isMissing) ? replayed.exit : nil)
        let failure = end.map { [replayed, isAccepted, deviations] failure in
            Self.ending(
                failure, replayed, isAccepted ? nil : replayed.lastPlayed, tape,
                missing: deviations.count(where: \.isMissing))
        }
        judgement = Judgement(
            (failure.map { [$0] } ?? []) + deviations.filter { failure == nil || !$0.isMissing } + breaches,
            expecting: expected, at: Date())
    }

    /// The numbers that are added to the seed for further runs if messages have changed places. Four: an order that is chance
    /// is then seen both ways in all but one of sixteen cases, and in most courses several times.
    private static let otherSeeds: ClosedRange<UInt64> = 1...4

    /// Returns the deviation of a program that has failed. It explains all that is missing, what the program did in its last
    /// moments included, as its recorder fell with it.
    private static func ending(
        _ failure: String, _ replayed: ReplayedApp, _ recorded: Int?, _ tape: AppTape, missing: Int
    ) -> Deviation {
        var words = [ReplayedApp.heading(of: failure)]
        if let event = replayed.lastPlayed.flatMap(tape.event) {
            words.append("the last that it was given was event \(event.sequence) of the cassette, \(event.kind)")
        }
        if missing > 0 {
            words.append("\(missing) recorded \(missing == 1 ? "deed is" : "deeds are") not in its course")
        }
        return Deviation(
            recorded: recorded, replayed: replayed.tape?.events.last?.sequence, event: "program",
            .ending(
                ([words.joined(separator: "; ")] + failure.split(separator: "\n").dropFirst().map(String.init)
                    + replayed.lastWords).joined(separator: "\n    ")))
    }

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
