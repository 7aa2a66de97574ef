import Configuration
import ControlSocket
import EventLog
import Foundation
import Metrics
import QuizSync
import RecordStorage

/// The host's control methods.
final class HostMethods: Sendable {
    private let session: WCSession
    private let history: MessageHistory
    private let quizzes: QuizMethods
    private let maintenance: any EmbeddedStore
    private let keeper: RetentionService
    private let usage: UsageRecorder
    private let started = Date()
    private let count: StoreObserver<Int>
    private let latest: StoreObserver<[StoredRecord]>

    init(
        session: WCSession, quizzes: QuizMethods, store: ObservedQuizStore,
        maintenance: any EmbeddedStore, keeper: RetentionService, history: MessageHistory, usage: UsageRecorder
    ) {
        self.session = session
        self.history = history
        self.quizzes = quizzes
        self.maintenance = maintenance
        self.keeper = keeper
        self.usage = usage
        count = .count(of: store)
        latest = .history(of: store)
    }

    func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError> {
        switch method {
        case "status": .success(status())
        case "history": .success(StatusReport.history(history))
        case "quizzes.expire": expire(params)
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

    /// Removes expired quizzes; the total is not known in advance.
    private func expire(_ params: JSONValue) -> Result<JSONValue, ControlError> {
        quizzes.tasks.answer("expire", params) { [keeper] progress in
            do throws(StoreError) {
                let removed = try keeper.expireConfirmed { progress($0, 0) }
                return .success(["removed": .integer(Int64(removed))])
            } catch {
                return .failure(ControlError(ControlError.unavailable, "\(error)"))
            }
        }
    }

    private func status() -> JSONValue {
        var report = StatusReport.common(service: "host", session: session, history: history, started: started)
        do throws(StoreError) {
            // The observers' values may be older than the state of the file.
            try maintenance.look()
            report["quizzes"] = .integer(Int64(try count.value()))
            report["latest"] = try latest.value().first.map { .string($0.record.key.identifier.uuidString) } ?? .null
            report["quizzesHeldBack"] = .integer(Int64(keeper.heldBack))
            report["database"] = "available"
        } catch {
            report["database"] = .string("\(error)")
        }
        return .object(report)
    }
}
