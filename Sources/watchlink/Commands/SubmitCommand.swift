import Foundation
import QuizSync
import ServiceRuntime

/// Hands quizzes to the companion.
enum SubmitCommand: Command {
    static let name = "submit"
    static let summary = "hand quizzes to the companion"
    static let forms = [
        CommandForm("submit FILE… | -", "hand quizzes to the companion; prints identifier and status")
    ]
    static let options = [
        OptionDefinition("wait", help: "until every quiz is replied to or has failed")
    ]
    static let examples = [
        CommandForm("submit quiz.json --wait", "until the host has it"),
        CommandForm("submit - < quizzes.json", "from standard input"),
    ]

    /// Quizzes in one request: together they stay far below the longest request.
    static let batch = 64

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard !invocation.words.isEmpty else { throw UsageError("submit needs files, or “-” for standard input") }
        // Every file is read before anything is submitted: a misspelt name submits nothing.
        let documents = try invocation.words.flatMap { name in try Self.documents(in: name).map { (name, $0) } }
        let results: [Result]
        do throws(ControlClient.Failure) {
            let client = try invocation.companion(timeout: invocation.options.has("wait") ? nil : .seconds(30))
            let submitted = try submit(documents, client)
            results = invocation.options.has("wait") ? try wait(for: submitted, client) : submitted
        } catch {
            throw CommandError(error, service: "companion")
        }
        try show(results, invocation)
        return exitCode(results, invocation)
    }

    struct Result {
        let file: String
        let identifier: String?
        let status: String
        let reason: String?

        init(file: String, _ value: JSONValue) {
            self.file = file
            identifier = value["identifier"]?.string
            status = value["status"]?.string ?? "unknown"
            reason = value["reason"]?.string
        }
    }

    static func documents(in name: String) throws -> [QuizDocument] {
        do {
            return try QuizDocument.documents(try InputFile.read(name))
        } catch let error as QuizError {
            throw CommandError("\(name): \(error)")
        }
    }

    static func submit(
        _ documents: [(file: String, document: QuizDocument)], _ client: ControlClient
    ) throws(ControlClient.Failure) -> [Result] {
        var results: [Result] = []
        for start in stride(from: 0, to: documents.count, by: batch) {
            let part = documents[start..<min(start + batch, documents.count)]
            let values: [JSONValue]
            do {
                values = try part.map {
                    try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode($0.document))
                }
            } catch {
                throw .protocolViolation("\(error)")
            }
            let answers = try client.call("submit", ["quizzes": .array(values)]).array ?? []
            guard answers.count == part.count else {
                throw .protocolViolation("\(answers.count) results for \(part.count) quizzes")
            }
            results += zip(part, answers).map { Result(file: $0.file, $1) }
        }
        return results
    }

    static func wait(for results: [Result], _ client: ControlClient) throws(ControlClient.Failure) -> [Result] {
        var ended: [Result] = []
        for result in results {
            guard let identifier = result.identifier, result.status == "accepted" else {
                ended.append(result)
                continue
            }
            ended.append(Result(file: result.file, try client.call("wait", ["identifier": .string(identifier)])))
        }
        return ended
    }

    private static func show(_ results: [Result], _ invocation: Invocation) throws {
        if invocation.wantsJSON {
            let value = JSONValue.array(
                results.map { result in
                    .object([
                        "file": .string(result.file), "identifier": result.identifier.map(JSONValue.string) ?? .null,
                        "status": .string(result.status), "reason": result.reason.map(JSONValue.string) ?? .null,
                    ])
                })
            return try StandardOutput.print(value.text(pretty: true))
        }
        for result in results {
            let reason = result.reason.map { ": \($0)" } ?? ""
            try StandardOutput.print("\(result.identifier ?? result.file) \(result.status)\(reason)")
        }
    }

    private static func exitCode(_ results: [Result], _ invocation: Invocation) -> ExitCode {
        let good = invocation.options.has("wait") ? ["replied"] : ["accepted", "replied"]
        return results.allSatisfy { good.contains($0.status) } ? .success : .failure
    }
}
