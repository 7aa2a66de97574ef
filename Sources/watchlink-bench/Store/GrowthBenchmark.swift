import Foundation
import LinkProtocol
import LinkTransport
import QuizSync
import ServiceRuntime
import Storage
import Trials

/// What a full database costs: the same work with ten thousand, a hundred thousand and a million quizzes in it.
struct GrowthBenchmark {
    let effort: Effort
    let folder: BenchFolder

    func report() throws -> Report {
        var rows: [Measurement] = []
        var first: Double?
        let pair = try ServicePair(in: folder, [])
        var stored = 0
        for size in [10_000, 100_000, 1_000_000] {
            let wanted = max(100, Int(Double(size) * effort.scale))
            try fill(pair.services.state.path(of: "quizzes.sqlite"), wanted - stored)
            stored = wanted
            guard try pair.services.start("host") else { throw BenchError("the host did not start") }
            var options = PeerOptions(socket: pair.socket)
            options.seconds = effort.seconds
            options.outstanding = 256
            var outcomes: [Outcome] = []
            for _ in 0..<effort.rounds { outcomes.append(try PeerProcess.drive("durable", options)) }
            try pair.stop(["host"])
            let outcome = Outcome.median(outcomes)
            rows.append(
                Measurement(
                    name: "durable, with \(wanted) quizzes", value: outcome.rate, unit: .perSecond,
                    reference: first.map { ("with the fewest", $0) }, details: outcome.percentiles))
            first = first ?? outcome.rate
        }
        rows.append(try outboxStart())
        return Report(title: "Growth: the same work in a fuller database", rows: rows)
    }

    private func fill(_ path: String, _ count: Int) throws {
        let store = SQLiteQuizStore(path: path)
        for start in stride(from: 0, to: count, by: 1_000) {
            let quizzes = try (start..<min(count, start + 1_000)).map { _ in
                try NewQuiz(BenchQuiz.quiz(), device: UUID())
            }
            _ = try store.insert(quizzes, receivedAt: Date())
        }
    }

    private func outboxStart() throws -> Measurement {
        let count = max(100, Int(100_000 * effort.scale))
        let pair = try ServicePair(in: folder, [])
        let store = OutboxStore(path: pair.services.state.path(of: "outbox.sqlite"))
        for start in stride(from: 0, to: count, by: 1_000) {
            let entries = try (start..<min(count, start + 1_000)).map { _ in
                let quiz = BenchQuiz.quiz()
                return (identifier: quiz.identifier, archive: try BenchQuiz().archivedData(of: quiz))
            }
            _ = try store.accept(entries, at: Date())
        }
        store.close()
        let start = MonotonicTime.now
        guard try pair.services.start("companion") else { throw BenchError("the companion did not start") }
        let seconds = (MonotonicTime.now - start).inSeconds
        try pair.stop(["companion"])
        return Measurement(name: "companion's start with \(count) in its outbox", value: seconds, unit: .seconds)
    }
}
