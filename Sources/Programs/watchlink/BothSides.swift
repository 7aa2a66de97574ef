import Dispatch
import Locking

/// Both services, asked at the same time: one that says nothing does not hold up the other.
enum BothSides {
    /// What each answers, the host first.
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
