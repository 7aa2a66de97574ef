import EventLog
import Foundation
import Locking
import QuizSync
import ServiceRuntime
import Storage

/// What the host answers on its control socket.
final class HostMethods: Sendable {
    private struct Observers {
        var count: QuizCount?
        var latest: QuizHistory?
    }

    private let session: WCSession
    private let store: ObservedQuizStore
    private let history: MessageHistory
    private let quizzes: QuizMethods
    private let started = Date()
    private let observers = Mutex(Observers())

    init(session: WCSession, store: ObservedQuizStore, history: MessageHistory, logger: Logger) {
        self.session = session
        self.store = store
        self.history = history
        quizzes = QuizMethods(store: store, logger: logger)
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
            let (count, latest) = try observed()
            report["quizzes"] = .integer(Int64(count.value))
            report["latest"] = latest.latest.first.map { .string($0.content.identifier.uuidString) } ?? .null
            report["database"] = "available"
        } catch {
            report["database"] = .string("\(error)")
        }
        return .object(report)
    }

    /// The observers of the database, made when it can first be read.
    private func observed() throws(DatabaseError) -> (QuizCount, QuizHistory) {
        let known = observers.withLock { $0 }
        if let count = known.count, let latest = known.latest { return (count, latest) }
        let count = try QuizCount(store)
        let latest = try QuizHistory(store)
        observers.withLock { $0 = Observers(count: count, latest: latest) }
        return (count, latest)
    }
}
