import Foundation
import RecordStorage
import Testing

@testable import QuizSync
@testable import RecordSync

@Suite("Receiver engine")
struct ReceiverEngineTests {
    private typealias Arrival = ReceiverEngine.Arrival

    private static let (watch, other) = (identifier(1), identifier(2))
    private static let invalid = PayloadError.invalid(field: "title", reason: "is empty")

    private var engine = ReceiverEngine()

    private static func quiz(_ quiz: UUID, after predecessor: UUID? = nil, refusal: PayloadError? = nil) -> Arrival {
        Arrival(quiz, from: watch, after: predecessor, refusal: refusal)
    }

    /// Stores quizzes at the positions from 0.
    private mutating func stored(_ count: Int) -> [ReceiverEngine.Effect] {
        engine.stored((0..<count).map { .stored(sequence: Int64($0 + 1)) })
    }

    @Test("A round is stored in one transaction, and each quiz is settled when it has been committed")
    mutating func round() {
        #expect(engine.arrived([Self.quiz(a), Self.quiz(b, after: a)]) == [.store([0, 1])])
        #expect(engine.isStoring)
        #expect(stored(2) == [.settle(0, .stored(sequence: 1)), .settle(1, .stored(sequence: 2))])
        #expect(!engine.isStoring)
    }

    @Test("An empty round needs no database")
    mutating func nothing() {
        #expect(engine.arrived([]) == [])
        #expect(!engine.isStoring)
    }

    @Test("Each outcome of the database applies to the quiz at its place in the round")
    mutating func outcomes() {
        let round = [
            Self.quiz(a, refusal: Self.invalid), Self.quiz(b), Self.quiz(c, after: a), Self.quiz(d, after: b),
            Arrival(a, from: Self.other),
        ]
        #expect(
            engine.arrived(round)
                == [.settle(0, .refused(Self.invalid)), .settle(2, .putOff), .store([1, 3, 4])])
        #expect(
            engine.stored([.repeated, .conflict, .stored(sequence: 7)])
                == [.settle(1, .repeated), .settle(3, .conflict), .settle(4, .stored(sequence: 7))])
    }

    @Test("A quiz whose predecessor is not settled is postponed, and so are all later ones")
    mutating func putOff() {
        #expect(
            engine.arrived([Self.quiz(b, after: a), Self.quiz(c, after: b)])
                == [.settle(0, .putOff), .settle(1, .putOff)])
        #expect(engine.arrived([Self.quiz(a)]) == [.store([0])])
        _ = stored(1)
        #expect(engine.arrived([Self.quiz(c, after: b)]) == [.settle(0, .putOff)])
        #expect(engine.arrived([Self.quiz(b, after: a), Self.quiz(c, after: b)]) == [.store([0, 1])])
    }

    @Test("Each device has a separate order")
    mutating func devices() {
        _ = engine.arrived([Self.quiz(a)])
        _ = stored(1)
        #expect(engine.arrived([Arrival(b, from: Self.other, after: a)]) == [.settle(0, .putOff)])
        #expect(engine.arrived([Self.quiz(b, after: a)]) == [.store([0])])
    }

    @Test("A refused quiz is settled with the round: the next may name it")
    mutating func refused() {
        let undecodable = PayloadError.undecodable("cut off")
        #expect(engine.arrived([Self.quiz(a, refusal: undecodable)]) == [.settle(0, .refused(undecodable))])
        #expect(!engine.isStoring)
        #expect(
            engine.arrived([Self.quiz(b, after: a, refusal: Self.invalid), Self.quiz(c, after: b)])
                == [.settle(0, .refused(Self.invalid)), .store([1])])
    }

    @Test("A refused quiz that is not the next is refused anyway, and the next may not name it")
    mutating func refusedEarly() {
        #expect(engine.arrived([Self.quiz(b, after: a, refusal: Self.invalid)]) == [.settle(0, .refused(Self.invalid))])
        #expect(engine.arrived([Self.quiz(c, after: b)]) == [.settle(0, .putOff)])
    }

    @Test("A round that the database failed to store settles nothing, not even refused quizzes")
    mutating func storingFails() {
        _ = engine.arrived([Self.quiz(a)])
        _ = stored(1)
        #expect(
            engine.arrived([Self.quiz(b, after: a), Self.quiz(c, after: b, refusal: Self.invalid)])
                == [.settle(1, .refused(Self.invalid)), .store([0])])
        #expect(engine.storingFailed() == [.settle(0, .unavailable)])
        #expect(!engine.isStoring)
        #expect(engine.arrived([Self.quiz(d, after: c)]) == [.settle(0, .putOff)])
        #expect(engine.arrived([Self.quiz(c, after: b)]) == [.settle(0, .putOff)])
        #expect(engine.arrived([Self.quiz(b, after: a)]) == [.store([0])])
    }

    @Test("Repeats and conflicts are settled: later quizzes are accepted")
    mutating func repeats() {
        _ = engine.arrived([Self.quiz(a)])
        _ = engine.stored([.repeated])
        #expect(engine.arrived([Self.quiz(b, after: a)]) == [.store([0])])
        _ = engine.stored([.conflict])
        #expect(engine.arrived([Self.quiz(c, after: b)]) == [.store([0])])
    }

    @Test("A database result that does not cover each quiz settles none", arguments: [0, 1, 3])
    mutating func wrongCount(_ count: Int) {
        _ = engine.arrived([Self.quiz(a), Self.quiz(b, after: a)])
        #expect(stored(count) == [.settle(0, .unavailable), .settle(1, .unavailable)])
        #expect(!engine.isStoring)
        #expect(engine.arrived([Self.quiz(c, after: b)]) == [.settle(0, .putOff)])
    }

    @Test("The number of remembered devices is limited; beyond it all start over")
    mutating func capacity() {
        func begin(_ count: Int) -> [Arrival] { (0..<count).map { _ in Arrival(UUID(), from: UUID()) } }
        _ = engine.arrived([Self.quiz(a)] + begin(PredecessorGate.capacity - 1))
        _ = stored(PredecessorGate.capacity)
        #expect(engine.arrived([Self.quiz(b, after: a)]) == [.store([0])])
        _ = stored(1)
        // One more than the limit, and then one too many.
        for _ in 0..<2 {
            _ = engine.arrived(begin(1))
            _ = stored(1)
        }
        #expect(engine.arrived([Self.quiz(c, after: b)]) == [.settle(0, .putOff)])
    }

    @Test("A call that no driver may make ends the program, and names the state")
    func driverMistakes() async {
        let round = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var engine = ReceiverEngine()
            _ = engine.arrived([ReceiverEngine.Arrival(a, from: b)])
            _ = engine.arrived([])
        }
        #expect(round.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.contains("storing") == true)
        let stored = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var engine = ReceiverEngine()
            _ = engine.stored([])
        }
        #expect(stored.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.contains("idle") == true)
    }

    // MARK: - Texts

    @Test("A sender learns the action from the verdict, and the reason from the message")
    func settlements() {
        let all: [(RecordSettlement, QuizVerdict, DeliveryStatus, String?)] = [
            (.stored(sequence: 1), .stored, .replied, nil),
            (.repeated, .repeated, .replied, nil),
            (.conflict, .conflict, .failed, "a quiz with this identifier but different content is already stored"),
            (.refused(Self.invalid), .invalid, .failed, "title: is empty"),
            (.refused(.undecodable("cut off")), .undecodable, .failed, "not a quiz: cut off"),
            (.putOff, .unavailable, .failed, "a quiz that was sent before it is not stored yet"),
            (.unavailable, .unavailable, .failed, "the host's database is not available"),
        ]
        for (settlement, verdict, status, message) in all {
            #expect(settlement.verdict == verdict)
            #expect(settlement.status == status, "\(settlement)")
            #expect(settlement.message(.quizzes) == message)
            let acknowledgement = settlement.acknowledgement(of: a, digest: Data([1]), .quizzes)
            #expect(acknowledgement.identifier == (verdict == .undecodable ? nil : a), "\(settlement)")
            #expect(acknowledgement.verdict == verdict)
            #expect(acknowledgement.digest == Data([1]))
            #expect(acknowledgement.message == message)
        }
    }

    @Test("A conflict in the bytes is a repeat if the content is equal, and a conflict if that cannot be determined")
    func conflicts() throws {
        let archive = try makeQuiz(a).archivedData()
        let other = try makeQuiz(a, title: "other").archivedData()
        let application = RecordApplication.quizzes
        #expect(application.isSame(archive, archive))
        #expect(!application.isSame(other, archive))
        #expect(!application.isSame(Data([1]), archive))
        #expect(!application.isSame(archive, Data([1])))
    }
}
