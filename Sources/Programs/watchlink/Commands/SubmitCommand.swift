import ControlSocket
import Foundation
import Processes
import QuizSync
import ServiceRuntime
import Words

/// Hands quizzes to the companion.
enum SubmitCommand: Command {
    static let name = "submit"
    static let summary = "hand quizzes to the companion"
    static let forms = [
        CommandForm(
            "submit FILE… | -",
            "hand quizzes to the companion; prints identifier and status of each as soon as it is accepted. The same file again adds nothing"
        )
    ]
    static let options = [
        OptionDefinition("wait", help: "until every quiz is replied to or has failed; says why it waits"),
        OptionDefinition(
            "patience", placeholder: "SPAN",
            help:
                "how long a companion that restarts is waited for; 30s. Given, it holds for one that does not run yet, too"
        ),
    ]
    static let examples = [
        CommandForm("submit quiz.json --wait", "until the host has it"),
        CommandForm("submit - < quizzes.json", "from standard input"),
        CommandForm("submit quizzes.json --patience 5min", "over a long restart of the companion"),
    ]

    /// How long a companion that is gone is waited for. 30 s: a service manager's restart takes a few.
    private static let patience: Duration = .seconds(30)
    /// How long one answer may take. 30 s: a batch is one commit; reached only by a companion that is frozen.
    private static let answerTime: Duration = .seconds(30)

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard !invocation.words.isEmpty else { throw UsageError("submit needs files, or “-” for standard input") }
        let patience = try invocation.options["patience"].map { try WordValue.span("--patience", $0) }
        let documents = try documents(in: invocation.words)
        let wantsWait = invocation.options.has("wait")
        let progress = ProgressLine("quizzes accepted", of: documents.count, isListing: true)
        defer { progress.finish() }
        var submission = Submission(documents, client(invocation, patience, progress))
        let list = ResultList(wantsJSON: invocation.wantsJSON)
        do {
            var done = 0
            try submission.submit {
                if !wantsWait || !invocation.wantsJSON { try list.add($0) }
                done += $0.count
                progress.update(done)
            }
            progress.finish()
            if wantsWait { try wait(&submission, list, invocation) }
            try list.finish()
        } catch let failure as ControlClient.Failure {
            try list.finish()
            progress.finish()
            throw incomplete(submission, failure)
        }
        let good = wantsWait ? ["replied"] : ["accepted", "replied"]
        return submission.results.allSatisfy { good.contains($0.status) } ? .success : .failure
    }

    /// Every file is read before anything is submitted: a misspelt name submits nothing.
    private static func documents(in names: [String]) throws -> [(file: String, document: QuizDocument)] {
        let progress = ProgressLine("quizzes read")
        defer { progress.finish() }
        var all: [(file: String, document: QuizDocument)] = []
        for name in names {
            let before = all.count
            all += try QuizFile.identified(in: name) { progress.update(before + $0) }.map { (name, $0) }
        }
        return all
    }

    /// - Parameter patience: What the user asked for, if anything: then a companion that is not there yet is waited for, too.
    private static func client(
        _ invocation: Invocation, _ patience: Duration?, _ progress: ProgressLine
    ) -> PatientClient {
        let span = patience ?? Self.patience
        return PatientClient(patience: span, isAsked: patience != nil) { () throws(ControlClient.Failure) in
            try invocation.companion(timeout: answerTime)
        } onLost: { failure in
            progress.finish()
            let trouble = if case .notAnswering = failure { "\(failure)" } else { "does not answer: \(failure)" }
            tell("the companion \(trouble); waiting up to \(String(format: "%g", span / .seconds(1))) s for it")
        }
    }

    private static func wait(_ submission: inout Submission, _ list: ResultList, _ invocation: Invocation) throws {
        if invocation.wantsJSON { try list.add(submission.results.filter { !$0.isOpen }) }
        let progress = ProgressLine("quizzes ended", of: submission.results.count(where: \.isOpen), isListing: true)
        defer { progress.finish() }
        var done = 0
        try submission.wait { reason in
            progress.finish()
            tell("waiting: \(reason)")
        } _: {
            try list.add([$0])
            done += 1
            progress.update(done)
        }
    }

    private static func incomplete(_ submission: Submission, _ failure: ControlClient.Failure) -> CommandError {
        let error = CommandError(failure, service: "companion")
        let rest =
            submission.acceptedCount < submission.count
            ? "submit the same again for the rest: none is taken twice" : "they will arrive when it is back"
        return CommandError(
            "\(error.message); \(submission.acceptedCount) of \(submission.count) quizzes are accepted; \(rest)",
            error.code)
    }

    /// A word to whoever waits, beside the results.
    private static func tell(_ text: String) { FileHandle.standardError.write(Data("watchlink: \(text)\n".utf8)) }
}
