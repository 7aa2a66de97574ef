import Foundation
import LinkProtocol
import RecordStorage
import Testing

@testable import QuizSync
@testable import RecordSync

/// An outbox engine with a driver, a database and a host that behave randomly.
@Suite("Outbox engine in random order")
struct OutboxEngineOrderTests {
    private static let quizzes = (0..<60).map { OutboxEngine.Entry(identifier: identifier($0), position: Int64($0)) }

    private struct Driver {
        var engine: OutboxEngine
        var random: SeededGenerator
        var time = 0.0
        var isCalm = false
        var isOpening = false
        var isWriting = false
        var underWay: [UUID] = []
        var ends: [UUID: OutboxEntry.State] = [:]
        var told: [Int: Int] = [:]
        var mistakes: [String] = []

        mutating func perform(_ effects: [OutboxEffect]) {
            for effect in effects {
                switch effect {
                case .open: isOpening = true
                case .transmit(let quiz, _, let predecessor):
                    if underWay.contains(quiz) { mistakes.append("\(quiz) is sent while it is under way") }
                    if ends[quiz] != nil { mistakes.append("\(quiz) is sent after its end") }
                    if predecessor == nil, !underWay.isEmpty { mistakes.append("\(quiz) names none of \(underWay)") }
                    underWay.append(quiz)
                case .record(let some):
                    if isWriting { mistakes.append("two commits at a time") }
                    isWriting = true
                    for end in some { ends[end.identifier] = end.state }
                case .tell(let waiter, let state, _):
                    told[waiter, default: 0] += 1
                    if isWriting || state == .pending { mistakes.append("\(waiter) is told \(state) too early") }
                case .tellPending(let waiter): told[waiter, default: 0] += 1
                default: break
                }
            }
        }

        mutating func step() {
            time += 0.1
            switch Int(random.unit() * 5) {
            case 0: perform(engine.reachabilityChanged(isCalm || random.happens(0.5), at: at(time)))
            case 1 where isWriting:
                isWriting = false
                guard isCalm || random.happens(0.5) else { return engine.recordingFailed(at: at(time)) }
                perform(engine.recorded(at: at(time)))
            case 2, 3:
                guard !underWay.isEmpty else { return }
                let quiz = underWay.remove(at: Int(random.unit() * Double(underWay.count)))
                let endings: [AttemptResult] = [.acknowledged(.stored), .acknowledged(.conflict), .emptyReply]
                let ending = endings[Int(random.unit() * (isCalm ? 2 : 3))]
                perform(engine.ended([OutboxEngine.Try(quiz, ending)], at: at(time)))
            default: perform(engine.deadlinePassed(at: at(time)))
            }
        }
    }

    @Test("Each quiz ends once, and each waiter is notified once", arguments: 1...100 as ClosedRange<UInt64>)
    func anyOrder(_ seed: UInt64) throws {
        var driver = Driver(
            engine: OutboxEngine(
                of: .quizzes, backoff: Backoff(initial: .milliseconds(500), maximum: .seconds(3)),
                random: SeededGenerator(seed: seed)
            ), random: SeededGenerator(seed: seed ^ 0xFF))
        #expect(driver.engine.opens() == true)
        while !driver.engine.isOpen {
            driver.engine.openingFailed("full", at: at(driver.time))
            driver.time += 1
            driver.perform(driver.engine.deadlinePassed(at: at(driver.time)))
            let isOpening = driver.isOpening
            try #require(isOpening, "the database is not tried again")
            driver.isOpening = false
            guard driver.random.happens(0.5) else { continue }
            driver.perform(driver.engine.opened([], forgotten: [], at: at(driver.time)))
        }
        for quiz in Self.quizzes {
            driver.perform(driver.engine.accepted([quiz], at: at(driver.time)))
            let patience = driver.random.happens(0.5) ? at(driver.time + driver.random.unit() * 20) : nil
            let number = Int(quiz.position)
            driver.perform(
                driver.engine.asked(number, about: quiz.identifier, listed: (.pending, nil), until: patience))
            for _ in 0..<Int(driver.random.unit() * 5) { driver.step() }
        }
        for _ in 0..<300 { driver.step() }
        driver.isCalm = true
        for _ in 0..<2_000 { driver.step() }
        let (mistakes, engine) = (driver.mistakes, driver.engine)
        #expect(mistakes == [])
        let open = Self.quizzes.map(\.identifier).filter { driver.ends[$0] == nil }
        #expect(open == [])
        let untold = (0..<60).filter { driver.told[$0] != 1 }
        #expect(untold == [])
        let (deadline, reason) = (engine.nextDeadline, engine.waitingReason(obstacle: "away"))
        #expect(deadline == nil)
        #expect(reason == nil)
    }
}
