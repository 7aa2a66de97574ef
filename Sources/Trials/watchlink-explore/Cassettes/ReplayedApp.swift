import CassetteReplay
import Cassettes
import Foundation
import Processes
import VirtualTime

/// One run of a build with the counterpart of a cassette.
struct ReplayedApp {
    /// The course of the app; nil if it recorded none.
    let tape: AppTape?
    /// The recording of it.
    let cassette: Cassette?
    /// The way in which the program failed, in one line or several; nil if it did not.
    let failure: String?
    /// The lines in which the program itself said that something is wrong, one for each cause, with the last event of the cassette
    /// that it had been given.
    let findings: [(word: ComplaintWord, given: Int?)]
    /// The way in which it ended without a failure; nil if it did not end by itself.
    let exit: String?
    /// The call of its delegate that never returned, after which nothing more reached it, and who waits for whom; nil if each
    /// returned.
    let hang: String?
    /// The line in which Swift told why the program trapped, else the last lines of its standard error.
    let lastWords: [String]
    /// The last event of the cassette that the counterpart has brought about; nil if none.
    let lastPlayed: Int?
    /// The deeds of the cassette that have arrived at the counterpart.
    let arrivedDeeds: Set<Int>
    /// The microseconds from the start of the replay to the program's end; nil if they are not known.
    let end: Int64?
    /// The counterpart's notes on what it could not do.
    let notes: [String]

    /// Returns the first line of a failure, without the colon before further ones.
    static func heading(of failure: String) -> String {
        let line = failure.prefix { $0 != "\n" }
        return String(line.hasSuffix(":") ? line.dropLast() : line)
    }

    /// The lines of a program that are shown when it fails. 5: an error with what led to it.
    static let mostLines = 5
    /// The most causes of its own findings. 20: more say nothing more.
    static let mostFindings = 20

    /// Runs a build.
    ///
    /// - Parameters:
    ///   - cassette: The cassette whose counterpart is played.
    ///   - tape: The part of the cassette that the build plays anew.
    ///   - change: The value that is played in place of a recorded one.
    ///   - seed: The seed of the world.
    static func run(
        _ build: TestedBuild, against cassette: Cassette, _ tape: AppTape, changing change: PlayChange? = nil,
        seed: UInt64, in time: ReplayTime
    ) throws -> ReplayedApp {
        let folder = try ScratchDirectory(in: time.base)
        defer { folder.remove() }
        let cast = try ReplayCast(build, against: cassette, tape, changing: change, in: folder)
        let played = try time.perform(cast, tape, seed: seed, in: folder)
        if let failure = played.counterpart.failure {
            throw ReplayError.counterpart(failure, played.counterpart.lines.suffix(mostLines))
        }
        let recorded = try Cassette.all(at: folder.recordings).first.map { path throws(CassetteError) in
            try Cassette(at: path)
        }
        return ReplayedApp(
            tape: recorded.flatMap { AppTape($0, side: $0.manifest.sides.first ?? tape.side) }, cassette: recorded,
            failure: played.app.failure,
            findings: ComplaintWord.first(of: played.app.complaints).prefix(mostFindings).map { word in
                let time = word.time.map { Int64($0 / .microseconds(1)) }
                return (word, time.flatMap { PlayedEvent.last(in: played.counterpart.lines, until: $0) })
            },
            exit: played.app.exit,
            hang: played.app.hang.map { "stopped: dead-lock: \($0)" },
            // A stack trace follows it.
            lastWords: played.app.lines.first(where: RuntimeReport.isLine).map { [$0] }
                ?? played.app.lines.suffix(mostLines),
            lastPlayed: PlayedEvent.last(in: played.counterpart.lines, until: played.app.end),
            arrivedDeeds: PlayedEvent.deeds(in: played.counterpart.lines), end: played.app.end,
            notes: played.counterpart.lines.filter { $0.hasPrefix("counterpart: ") })
    }
}
