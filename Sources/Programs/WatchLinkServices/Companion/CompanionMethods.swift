import Configuration
import ControlSocket
import DeviceControl
import EventLog
import Foundation
import QuizSync
import RecordStorage

/// The companion's control methods.
final class CompanionMethods: Sendable {
    /// The number of failed quizzes shown in a status.
    private static let shownFailures = 20
    /// The longest wait of a request, in seconds. An hour.
    private static let longestWait = 3_600.0

    private let session: WCSession
    private let outbox: Outbox
    private let history: MessageHistory
    private let deviceMethods: DeviceMethods
    private let outboxMethods: OutboxMethods
    private let logger: Logger
    private let started = Date()

    init(session: WCSession, outbox: Outbox, store: OutboxStore, history: MessageHistory, logger: Logger) {
        self.session = session
        deviceMethods = DeviceMethods(session.simulator)
        outboxMethods = OutboxMethods(store: store, logger: logger) { try outbox.retry($0) }
        self.outbox = outbox
        self.history = history
        self.logger = logger
    }

    func answer(_ method: String, _ params: JSONValue, _ respond: @escaping ControlServer.Respond) {
        switch method {
        case "status": respond(.success(status()))
        case "history": respond(.success(StatusReport.history(history)))
        case "submit": respond(submit(params))
        case "wait": wait(params, respond)
        default:
            if let answer = outboxMethods.answer(method, params) { return respond(answer) }
            deviceMethods.answer(method, params, respond)
                ?? respond(.failure(.unknown(method: method)))
        }
    }

    private func status() -> JSONValue {
        var report = StatusReport.common(service: "companion", session: session, history: history, started: started)
        do throws(StoreError) {
            let counts = try outbox.counts()
            report["outbox"] = .object(
                Dictionary(
                    uniqueKeysWithValues: OutboxEntry.State.allCases.map {
                        ($0.rawValue, JSONValue.integer(Int64(counts[$0] ?? 0)))
                    }))
            report["failed"] = .array(
                try outbox.failed(limit: Self.shownFailures).map { entry in
                    .object([
                        "identifier": .string(entry.identifier.uuidString),
                        "reason": .string(entry.reason ?? "unknown"),
                    ])
                })
            report["waitingReason"] = outbox.waitingReason.map(JSONValue.string) ?? .null
            report["database"] = "available"
        } catch {
            report["database"] = .string("\(error)")
        }
        return .object(report)
    }

    // MARK: - Submitting

    /// Returns one result for each quiz, in order; an invalid quiz does not block the others.
    private func submit(_ params: JSONValue) -> Result<JSONValue, ControlError> {
        guard let values = params["quizzes"]?.array else {
            return .failure(ControlError(ControlError.invalidParams, "“quizzes” must be a list"))
        }
        let checked = values.map { value in Result { try QuizMethods.document(value).quiz() } }
        let quizzes = checked.compactMap { result in if case .success(let quiz) = result { quiz } else { nil } }
        var outcomes: ArraySlice<JSONValue>
        do {
            outcomes = try accept(quizzes)[...]
        } catch {
            return .failure(ControlError(ControlError.unavailable, "\(error)"))
        }
        return .success(
            .array(
                checked.map { result in
                    switch result {
                    case .success: outcomes.popFirst() ?? .null
                    case .failure(let error): rejected(nil, "\(error)")
                    }
                }))
    }

    private func accept(_ quizzes: [QuizData]) throws -> [JSONValue] {
        do {
            return zip(quizzes, try outbox.submit(quizzes)).map { quiz, outcome in
                switch outcome {
                case .accepted: Self.result(quiz.identifier, "accepted", Self.note(quiz))
                case .repeated(let state, let reason):
                    Self.result(quiz.identifier, state == .pending ? "accepted" : state.rawValue, reason)
                case .conflict:
                    rejected(quiz.identifier, "a quiz with this identifier and different content was already accepted")
                }
            }
        } catch let error as QuizError {
            // One quiz is too large: accept the others without it.
            guard quizzes.count > 1 else { return quizzes.map { rejected($0.identifier, "\(error)") } }
            return try quizzes.flatMap { try accept([$0]) }
        }
    }

    /// Returns a warning about an accepted quiz, if there is one.
    private static func note(_ quiz: QuizData) -> String? {
        QuizData.isAhead(quiz.takenAt, of: Date())
            ? "takenAt is more than a day ahead of this device's clock; one of the two is wrong" : nil
    }

    private func rejected(_ identifier: UUID?, _ reason: String) -> JSONValue {
        logger.log(.quizRejected, (identifier.map { [.package($0)] } ?? []) + [.reason(reason)])
        return Self.result(identifier, "rejected", reason)
    }

    private static func result(_ identifier: UUID?, _ status: String, _ reason: String? = nil) -> JSONValue {
        .object([
            "identifier": identifier.map { .string($0.uuidString) } ?? .null,
            "status": .string(status),
            "reason": reason.map(JSONValue.string) ?? .null,
        ])
    }

    /// Answers once a quiz is settled; after “within” seconds, with the reason why it is not.
    private func wait(_ params: JSONValue, _ respond: @escaping ControlServer.Respond) {
        guard let identifier = params["identifier"]?.string.flatMap(UUID.init(uuidString:)) else {
            return respond(.failure(ControlError(ControlError.invalidParams, "“identifier” must be a UUID")))
        }
        let patience = params["within"]?.number.map { Duration.seconds(min(max($0, 0), Self.longestWait)) }
        outbox.whenSettled(identifier, within: patience) { state, reason in
            respond(.success(Self.result(identifier, state.rawValue, reason)))
        }
    }
}
