import Configuration
import ControlSocket
import Foundation
import Processes
import QuizSync
import RecordStorage
import ServiceRuntime
import Words

/// Submits quizzes, or the documents of another application, to the companion.
enum SubmitCommand: Command {
    static let name = "submit"
    static let summary = "submit quizzes, or another application's documents, to the companion"
    static let forms = [
        CommandForm(
            "submit FILE… | -",
            "submit quizzes to the companion; prints identifier and status of each as soon as it is accepted. Submitting a file again adds nothing"
        )
    ]
    static let options = [
        CommandOptions.application, CommandOptions.file,
        OptionDefinition("wait", help: "wait until every quiz is replied to or has failed; prints why it waits"),
        OptionDefinition(
            "patience", placeholder: "SPAN",
            help:
                "time to wait for a companion that restarts, or if given, that is not running yet; default 30s"
        ),
    ]
    static let examples = [
        CommandForm("submit quiz.json --wait", "wait until the host has stored it"),
        CommandForm("submit --application steps today.json", "submit to an application of your own"),
        CommandForm("submit --application workouts run.json --file track.gpx", "submit a document with its file"),
        CommandForm("submit - < quizzes.json", "read standard input"),
        CommandForm("submit quizzes.json --patience 5min", "wait for a slow restart of the companion"),
    ]

    /// The time to wait for a companion that is gone. 30 s: a restart by a service manager takes a few.
    private static let patience: Duration = .seconds(30)
    /// The time limit of one answer. 30 s: a batch is one commit, so only a frozen companion exceeds it.
    private static let answerTime: Duration = .seconds(30)

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard !invocation.words.isEmpty else { throw UsageError("submit needs files, or “-” for standard input") }
        let patience = try invocation.options["patience"].map { try WordValue.span("--patience", $0) }
        let application = invocation.options["application"] ?? RecordKind.quizzes.plural
        let file = invocation.options[CommandOptions.file.name].map(DocumentFile.path)
        let documents = try documents(in: invocation.words, of: application, with: file)
        guard file == nil || documents.count == 1 else {
            throw UsageError(
                "--file belongs to one document, and there are \(documents.count); submit each with its own")
        }
        let wantsWait = invocation.options.has("wait")
        let progress = ProgressLine("\(application) accepted", of: documents.count, isListing: true)
        defer { progress.finish() }
        var submission = Submission(
            documents, of: application, file: file, client(invocation, patience, progress))
        let list = ResultList(wantsJSON: invocation.wantsJSON)
        do {
            var done = 0
            try submission.submit {
                if !wantsWait || !invocation.wantsJSON { try list.add($0) }
                done += $0.count
                progress.update(done)
            }
            progress.finish()
            if wantsWait { try wait(&submission, list, "\(application) settled", invocation) }
            try list.finish()
        } catch let failure as ControlClient.Failure {
            try list.finish()
            progress.finish()
            throw incomplete(submission, application, failure)
        }
        let good = wantsWait ? ["replied"] : ["accepted", "replied"]
        return submission.results.allSatisfy { good.contains($0.status) } ? .success : .failure
    }

    /// Reads every file before anything is submitted, so that nothing is if one name is wrong.
    private static func documents(
        in names: [String], of application: String, with file: String?
    ) throws -> [Submission.Document] {
        let progress = ProgressLine("\(application) read")
        defer { progress.finish() }
        var all: [Submission.Document] = []
        for name in names {
            let before = all.count
            func onRead(_ count: Int) { progress.update(before + count) }
            let values =
                application == RecordKind.quizzes.plural
                ? try QuizFile.identified(in: name, onRead: onRead).map(QuizFile.value)
                : try DocumentFile.identified(in: name, with: file, onRead: onRead)
            all += values.map { (name, $0) }
        }
        return all
    }

    /// - Parameter patience: The time given by the user; then a companion that is not running yet is waited for, too.
    private static func client(
        _ invocation: Invocation, _ patience: Duration?, _ progress: ProgressLine
    ) -> RetryingClient {
        let span = patience ?? Self.patience
        return RetryingClient(patience: span, isAsked: patience != nil) { () throws(ControlClient.Failure) in
            try invocation.companion(timeout: answerTime)
        } onLost: { failure in
            progress.finish()
            let trouble = if case .notAnswering = failure { "\(failure)" } else { "does not answer: \(failure)" }
            tell("the companion \(trouble); waiting up to \(String(format: "%g", span / .seconds(1))) s for it")
        }
    }

    private static func wait(
        _ submission: inout Submission, _ list: ResultList, _ label: String, _ invocation: Invocation
    ) throws {
        if invocation.wantsJSON { try list.add(submission.results.filter { !$0.isOpen }) }
        let progress = ProgressLine(label, of: submission.results.count(where: \.isOpen), isListing: true)
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

    private static func incomplete(
        _ submission: Submission, _ application: String, _ failure: ControlClient.Failure
    ) -> CommandError {
        let error = CommandError(failure, service: "companion")
        let rest =
            submission.acceptedCount < submission.count
            ? "submit the same files again for the rest; nothing is accepted twice" : "they will arrive when it is back"
        return CommandError(
            "\(error.message); \(submission.acceptedCount) of \(submission.count) \(application) were accepted; \(rest)",
            error.code)
    }

    /// Prints a message on standard error, beside the results.
    private static func tell(_ text: String) {
        FileHandle.standardError.write(Data("watchlink submit: \(text)\n".utf8))
    }
}
