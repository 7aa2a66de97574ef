import Configuration
import ControlSocket
import Foundation
import QuizSync

/// Quizzes on their way from files to the companion, a batch at a time.
///
/// Each has its identifier before the first is sent, so a batch whose answer was lost may be sent again.
struct Submission {
    /// Quizzes in one request: together they stay far below the longest request.
    static let batch = 64
    /// Answers in one request. 20,000: with their keys, half of the keys and values that a request may have.
    static let batchAnswers = 20_000
    /// How long the companion waits with an answer before it says why a quiz is not replied to. A second: whoever waits hears of the
    /// reason within two.
    private static let waitPeriod = 1.0

    private let documents: [(file: String, document: QuizDocument)]
    private let client: PatientClient
    private(set) var acceptedCount = 0
    private(set) var results: [SubmitResult] = []

    var count: Int { documents.count }

    init(_ documents: [(file: String, document: QuizDocument)], _ client: PatientClient) {
        self.documents = documents
        self.client = client
    }

    /// - Parameter onResults: Called with what became of each batch, in order.
    mutating func submit(_ onResults: ([SubmitResult]) throws -> Void) throws {
        var rest = documents[...]
        while !rest.isEmpty {
            let part = Self.batch(of: rest)
            rest = rest[part.endIndex...]
            let values = try part.map {
                try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode($0.document))
            }
            let answers = try client.call("submit", ["quizzes": .array(values)]).array ?? []
            guard answers.count == part.count else {
                throw ControlClient.Failure.protocolViolation("\(answers.count) results for \(part.count) quizzes")
            }
            let batch = zip(part, answers).map { SubmitResult(file: $0.file, $1) }
            acceptedCount += batch.count { $0.status != "rejected" }
            results += batch
            try onResults(batch)
        }
    }

    /// The first of them, as many as go into one request; one in any case.
    private static func batch(
        of rest: ArraySlice<(file: String, document: QuizDocument)>
    ) -> ArraySlice<(file: String, document: QuizDocument)> {
        var answers = 0
        let fitting = rest.prefix(batch).prefix {
            answers += $0.document.answers.count
            return answers <= batchAnswers
        }
        return fitting.isEmpty ? rest.prefix(1) : fitting
    }

    /// Waits for the ends of those that are accepted.
    ///
    /// - Parameters:
    ///   - limit: How long they are waited for; nil for ever.
    ///   - onReason: Called with why they have no end yet, once for each reason.
    ///   - onEnd: Called with each end, in order.
    mutating func wait(
        within limit: Duration? = nil, onReason: (String) -> Void, _ onEnd: (SubmitResult) throws -> Void
    ) throws {
        let start = ContinuousClock.now
        var told: Set<String> = []
        for place in results.indices where results[place].isOpen {
            let params: JSONValue = [
                "identifier": .string(results[place].identifier ?? ""), "within": .number(Self.waitPeriod),
            ]
            var result = SubmitResult(file: results[place].file, try client.call("wait", params))
            while result.status == "pending" {
                if let limit, ContinuousClock.now - start > limit { throw ControlClient.Failure.late(after: limit) }
                if let reason = result.reason, told.insert(reason).inserted { onReason(reason) }
                result = SubmitResult(file: result.file, try client.call("wait", params))
            }
            results[place] = result
            try onEnd(result)
        }
    }
}
