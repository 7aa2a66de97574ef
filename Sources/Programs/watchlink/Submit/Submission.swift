import Configuration
import ControlSocket
import Foundation
import QuizSync

/// A submission of quizzes from files to the companion, in batches.
///
/// Each quiz has its identifier before the first is sent, so a batch whose answer was lost can be resent.
struct Submission {
    /// The most quizzes in one request: together far below the longest request.
    static let batch = 64
    /// The most quiz answers in one request. 20,000: with their keys, half of the keys and values that a request may
    /// have.
    static let batchAnswers = 20_000
    /// The seconds after which the companion reports why a quiz has no reply yet. One: the user sees the reason within
    /// two.
    private static let waitPeriod = 1.0

    private let documents: [(file: String, document: QuizDocument)]
    private let client: RetryingClient
    private(set) var acceptedCount = 0
    private(set) var results: [SubmitResult] = []

    var count: Int { documents.count }

    init(_ documents: [(file: String, document: QuizDocument)], _ client: RetryingClient) {
        self.documents = documents
        self.client = client
    }

    /// Submits all quizzes.
    ///
    /// - Parameter onResults: Called with the results of each batch, in order.
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

    /// Returns the first quizzes, as many as fit into one request, but at least one.
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

    /// Waits until all accepted quizzes are settled.
    ///
    /// - Parameters:
    ///   - limit: The longest wait; nil for no limit.
    ///   - onReason: Called with the reason of the delay, once for each reason.
    ///   - onEnd: Called with each final result, in order.
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
