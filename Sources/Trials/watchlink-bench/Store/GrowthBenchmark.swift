import Foundation
import LinkProtocol
import LinkTransport
import QuizSync
import RecordStorage
import ServiceRuntime
import Trials

/// The cost of a full database: the same work with ten thousand, a hundred thousand and a million stored quizzes.
struct GrowthBenchmark {
    let effort: Effort
    let folder: BenchFolder

    private static let sizes = [10_000, 100_000, 1_000_000]

    func report() throws -> Report {
        var rows: [Measurement] = []
        let pair = try ServicePair(in: folder, [])
        var stored = 0
        for size in Self.sizes {
            let wanted = max(100, Int(Double(size) * effort.scale))
            try StoredQuizzes(at: pair.services.state.path(of: "quizzes.sqlite")).add(wanted - stored)
            stored = wanted
            rows.append(try measure(pair, "durable, with \(wanted) quizzes", against: rows.first))
            if size == Self.sizes.last {
                let name = "the same, with QuizData's own identifiers"
                rows.append(try measure(pair, name, hasOwnIdentifiers: true, against: rows.first))
            }
        }
        rows.append(try outboxStart())
        return Report(title: "Growth: the same work in a fuller database", rows: rows)
    }

    private func measure(
        _ pair: ServicePair, _ name: String, hasOwnIdentifiers: Bool = false, against first: Measurement?
    ) throws -> Measurement {
        try pair.start("host")
        var options = PeerOptions(socket: pair.socket)
        options.seconds = effort.seconds
        options.outstanding = 256
        options.hasOwnIdentifiers = hasOwnIdentifiers
        let outcome = Outcome.median(try (0..<effort.rounds).map { _ in try PeerProcess.drive("durable", options) })
        try pair.stop(["host"])
        return Measurement(
            name: name, value: outcome.rate, unit: .perSecond, reference: first.map { ("with the fewest", $0.value) },
            details: outcome.percentiles)
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
        try pair.start("companion")
        let seconds = (MonotonicTime.now - start).inSeconds
        try pair.stop(["companion"])
        return Measurement(name: "companion's start with \(count) in its outbox", value: seconds, unit: .seconds)
    }
}
