import Configuration
import ControlSocket
import Foundation

/// A submission of an application's documents from files to the companion, in batches.
///
/// Each document has its identifier before the first is sent, so a batch whose answer was lost can be resent.
struct Submission {
    /// The seconds after which the companion reports why a quiz has no reply yet. One: the user sees the reason within
    /// two.
    private static let waitPeriod = 1.0

    /// A document, and the name of its file.
    typealias Document = (file: String, value: JSONValue)

    private let application: String
    private let documents: [Document]
    /// The absolute path of the file that belongs to the only document; nil for none.
    private let file: String?
    private let client: RetryingClient
    private(set) var acceptedCount = 0
    private(set) var results: [SubmitResult] = []

    var count: Int { documents.count }

    /// - Parameters:
    ///   - application: The plural name of the documents' application.
    ///   - file: The absolute path of the file that belongs to the only document; nil for none.
    init(
        _ documents: [Document], of application: String = "quizzes", file: String? = nil, _ client: RetryingClient
    ) {
        self.file = file
        self.application = application
        self.documents = documents
        self.client = client
    }

    /// Submits all documents.
    ///
    /// - Parameter onResults: Called with the results of each batch, in order.
    mutating func submit(_ onResults: ([SubmitResult]) throws -> Void) throws {
        var rest = documents[...]
        while !rest.isEmpty {
            var batch = RequestBatch()
            let part = rest.prefix { document in
                guard batch.fits(document.value) else { return false }
                batch.append(document.value)
                return true
            }
            rest = rest[part.endIndex...]
            var params: [String: JSONValue] = [application: .array(batch.values)]
            if let file { params["file"] = .string(file) }
            let answers = try client.call("submit", .object(params)).array ?? []
            guard answers.count == part.count else {
                throw ControlClient.Failure.protocolViolation(
                    "\(answers.count) results for \(part.count) \(application)")
            }
            let settled = zip(part, answers).map { SubmitResult(file: $0.file, $1) }
            acceptedCount += settled.count { $0.status != "rejected" }
            results += settled
            try onResults(settled)
        }
    }

    /// Waits until all accepted documents are settled.
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
                "application": .string(application),
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
