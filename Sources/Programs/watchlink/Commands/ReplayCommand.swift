import ExploreWords
import Processes
import ServiceRuntime

/// Replays a cassette against a build of either app, in the exploring program.
enum ReplayCommand: Command {
    static let name = "replay"
    static let summary = "run a new build of an app against a cassette, and tell what has changed"
    static let forms = [
        CommandForm("replay CASSETTE --phone PROGRAM", "play the watch's part to a build of the phone's app"),
        CommandForm("replay CASSETTE --watch PROGRAM", "play the phone's part to a build of the watch's app"),
        CommandForm("replay CASSETTE --compare CASSETTE", "compare two recordings of the same course"),
        CommandForm("replay CLAIMS --compare CLAIMS", "compare what the fidelity probe observed, here and on devices"),
    ]
    static let options = ExploreForm.cassette.options
    static let examples = [
        CommandForm(
            "replay cassettes/phone-1 --phone .build/debug/PhoneApp --accept", "keep the course of a build that works"),
        CommandForm("replay cassettes/phone-1 --phone .build/debug/PhoneApp", "compare a later build with it"),
        CommandForm(
            "replay cassettes/watch-1 --watch 'WatchApp --quiz 3' --junit replay.xml --sarif replay.sarif", "in CI"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        try ExploreCommand.replaceThisProgram(
            [ExploreForm.cassette.rawValue] + invocation.words, invocation.options, options)
    }
}
