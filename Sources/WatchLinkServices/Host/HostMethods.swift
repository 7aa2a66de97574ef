import EventLog
import Foundation
import QuizSync
import ServiceRuntime
import Storage

/// What the host answers on its control socket.
final class HostMethods: Sendable {
    private let session: WCSession
    private let history: MessageHistory
    private let quizzes: QuizMethods
    private let started = Date()
    private let count: StoreObserver<Int>
    private let latest: StoreObserver<[StoredQuiz]>

    init(session: WCSession, store: ObservedQuizStore, history: MessageHistory, logger: Logger) {
        self.session = session
        self.history = history
        quizzes = QuizMethods(store: store, logger: logger)
        count = .count(of: store)
        latest = .history(of: store)
    }

    func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError> {
        switch method {
        case "status": .success(status())
        case "history": .success(StatusReport.history(history))
        default: quizzes.answer(method, params)
        }
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
