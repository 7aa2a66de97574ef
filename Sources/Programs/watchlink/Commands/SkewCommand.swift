import ExploreWords
import Processes
import ServiceRuntime

/// Runs every pair of builds that may meet, in the exploring program.
enum SkewCommand: Command {
    static let name = "skew"
    static let summary = "run every build of the phone's app with every build of the watch's"
    static let forms = [
        CommandForm(
            "skew --phones A,B,… --watches X,Y,…",
            "run each pair in virtual time: each app must do with a build what it does with the oldest one"),
        CommandForm("skew --phones A,B,… --cassettes DIR", "run each build against each cassette"),
    ]
    static let options = ExploreForm.skew.options
    static let examples = [
        CommandForm(
            "skew --phones old/Phone,new/Phone --watches old/Watch,new/Watch", "what breaks, and since which build"),
        CommandForm(
            "skew --phones old/Phone,new/Phone --watches new/Watch --cassettes cassettes", "and old recordings"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        try ExploreCommand.replaceThisProgram(
            [ExploreForm.skew.rawValue] + invocation.words, invocation.options, options)
    }
}
