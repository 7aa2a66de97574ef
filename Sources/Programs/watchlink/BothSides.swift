import Dispatch
import Locking

/// Requests to both services at the same time; a service that does not answer does not delay the other.
enum BothSides {
    /// Returns both answers, the host's first.
    static func ask<Answer: Sendable>(_ question: @Sendable (_ side: String) -> Answer) -> [Answer] {
        let answers = Mutex([String: Answer]())
        DispatchQueue.concurrentPerform(iterations: CommandOptions.sides.count) { index in
            let side = CommandOptions.sides[index]
            let answer = question(side)
            answers.withLock { $0[side] = answer }
        }
        return answers.withLock { answers in CommandOptions.sides.compactMap { answers[$0] } }
    }
}
