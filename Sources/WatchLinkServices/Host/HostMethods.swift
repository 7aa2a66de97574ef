import EventLog
import Foundation
import Metrics
import QuizSync
import ServiceRuntime
import Storage

/// What the host answers on its control socket.
final class HostMethods: Sendable {
    private let session: WCSession
    private let history: MessageHistory
    private let quizzes: QuizMethods
    private let usage: UsageRecorder
    private let started = Date()
    private let count: StoreObserver<Int>
    private let latest: StoreObserver<[StoredQuiz]>

    init(
        session: WCSession, quizzes: QuizMethods, store: ObservedQuizStore, history: MessageHistory,
        usage: UsageRecorder
    ) {
        self.session = session
        self.history = history
        self.quizzes = quizzes
        self.usage = usage
        count = .count(of: store)
        latest = .history(of: store)
    }

    func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError> {
        switch method {
        case "status": .success(status())
        case "history": .success(StatusReport.history(history))
        case "quizzes.list": opened { quizzes.answer(method, params) }
        default: quizzes.answer(method, params)
        }
    }

    private func opened(
        _ read: () -> Result<JSONValue, ControlError>
    ) -> Result<JSONValue, ControlError> {
        usage.record(.historyOpened)
        return usage.time(.history, read)
    }

    private func status() -> JSONValue {
        var report = StatusReport.common(service: "host", session: session, history: history, started: started)
        do throws(DatabaseError) {
            report["quizzes"] = .integer(Int64(try count.value()))
            report["latest"] = try latest.value().first.map { .string($0.content.identifier.uuidString) } ?? .null
            report["database"] = "available"
        } catch {
            report["database"] = .string("\(error)")
        }
        return .object(report)
    }
}
