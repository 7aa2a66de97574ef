import Foundation
import LinkProtocol
import LinkTransport
import Locking
import QuizSync

/// One measurement through the outbox: keeps the given number of quizzes pending.
final class OutboxRun: Sendable {
    /// The number of quizzes submitted in one batch, as by a typical program.
    private static let batch = 64
    /// More than one sample submits.
    private static let prepared = 30_000

    private struct State {
        var pace: Pace
        var outcome: Outcome?
        /// The number of quizzes that may be submitted now.
        var room: Int
    }

    private let outbox: Outbox
    private let makeQuiz: @Sendable () -> QuizData
    /// The prepared quizzes, as the rows of the SQLite reference are; the last one is submitted first.
    private let quizzes: Mutex<[QuizData]>
    private let state: Mutex<State>
    private let changed = DispatchSemaphore(value: 0)

    init(_ outbox: Outbox, _ options: PeerOptions) {
        self.outbox = outbox
        let hasOwn = options.hasOwnIdentifiers
        let makeQuiz = { @Sendable in BenchQuiz.quiz(identifier: hasOwn ? nil : UUID()) }
        quizzes = Mutex((0..<Self.prepared).map { _ in makeQuiz() }.reversed())
        self.makeQuiz = makeQuiz
        state = Mutex(State(pace: Pace(seconds: options.seconds), room: options.outstanding))
    }

    func run() -> Outcome {
        while true {
            let (room, outcome) = state.withLock { state in
                let room = min(state.room, Self.batch)
                state.room -= room
                return (room, state.outcome)
            }
            if let outcome { return outcome }
            if room == 0 {
                changed.wait()
            } else if !hand(room) {
                return Outcome()
            }
        }
    }

    private func hand(_ count: Int) -> Bool {
        let start = MonotonicTime.now
        let quizzes = quizzes.withLock { prepared in (0..<count).map { _ in prepared.popLast() ?? makeQuiz() } }
        do {
            _ = try outbox.submit(quizzes)
        } catch {
            return false
        }
        for quiz in quizzes {
            outbox.whenSettled(quiz.identifier) { [self] _, _ in
                state.withLock { state in
                    state.room += 1
                    if state.outcome == nil, !state.pace.received(sentAt: start) { state.outcome = state.pace.outcome }
                }
                changed.signal()
            }
        }
        return true
    }
}
