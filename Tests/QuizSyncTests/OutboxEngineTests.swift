import Foundation
import LinkProtocol
import RecordStorage
import Testing

@testable import QuizSync
@testable import RecordSync

@Suite("Outbox engine")
struct OutboxEngineTests {
    private var engine = OutboxEngine(
        of: .quizzes, backoff: Backoff(initial: .seconds(4), maximum: .seconds(60)), random: SeededGenerator(seed: 1))

    private static func entry(_ quiz: UUID) -> OutboxEngine.Entry {
        OutboxEngine.Entry(identifier: quiz, position: Int64(quiz.uuid.3))
    }

    private static func replied(_ quiz: UUID) -> OutboxEngine.End {
        OutboxEngine.End(quiz, position: Int64(quiz.uuid.3), .replied)
    }

    private mutating func open(_ pending: UUID..., isReachable: Bool = true) -> [OutboxEffect] {
        _ = engine.opens()
        _ = engine.reachabilityChanged(isReachable, at: at(0))
        return engine.opened(pending.map(Self.entry), forgotten: [], at: at(0))
    }

    private mutating func end(_ quiz: UUID, _ ending: AttemptResult, at seconds: Double = 0) -> [OutboxEffect] {
        engine.ended([OutboxEngine.Try(quiz, ending)], at: at(seconds))
    }

    // MARK: - Opening the database

    @Test(
        "Quizzes of earlier runs are sent once the database is open and the host reachable, each after its predecessor"
    )
    mutating func opened() {
        #expect(engine.reachabilityChanged(true, at: at(0)) == [])
        #expect(!engine.isOpen)
        #expect(engine.opens() == true)
        #expect(
            engine.opened([Self.entry(a), Self.entry(b)], forgotten: [], at: at(0))
                == [.opened(pending: 2), .transmit(a, attempt: 1, after: nil), .transmit(b, attempt: 1, after: a)])
        #expect(engine.isOpen)
    }

    @Test("The database is opened only once")
    mutating func opensOnce() {
        #expect(engine.opens() == true)
        #expect(engine.opens() == false)
        #expect(engine.opened([], forgotten: [], at: at(0)) == [.opened(pending: 0)])
        #expect(engine.opens() == false)
        #expect(engine.deadlinePassed(at: at(100)) == [])
        #expect(engine.nextDeadline == nil)
    }

    @Test("A database that could not be opened is retried after the delay, not before, and once")
    mutating func openingFails() {
        #expect(engine.opens() == true)
        engine.openingFailed("full", at: at(10))
        #expect(engine.nextDeadline == at(11))
        #expect(engine.waitingReason(obstacle: nil) == "the outbox's database is not available: full")
        #expect(engine.deadlinePassed(at: at(10.999)) == [])
        #expect(engine.deadlinePassed(at: at(11)) == [.open])
        #expect(engine.nextDeadline == nil)
        #expect(engine.deadlinePassed(at: at(12)) == [])
        engine.openingFailed("still full", at: at(12))
        #expect(engine.nextDeadline == at(13))
        #expect(engine.waitingReason(obstacle: nil) == "the outbox's database is not available: still full")
    }

    @Test("A request that needs the database retries it immediately, even between two retries")
    mutating func opensBetween() {
        #expect(engine.opens() == true)
        engine.openingFailed("full", at: at(10))
        #expect(engine.opens() == true)
        #expect(engine.opened([Self.entry(a)], forgotten: [], at: at(10.5)) == [.opened(pending: 1)])
        #expect(engine.deadlinePassed(at: at(11)) == [])
        #expect(engine.waitingReason(obstacle: nil) == nil)
    }

    @Test("A call that no driver may make ends the program, and names the state")
    func driverMistakes() async {
        let opened = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var engine = OutboxEngine(
                of: .quizzes, backoff: Backoff(initial: .seconds(1), maximum: .seconds(1)),
                random: SeededGenerator(seed: 1))
            _ = engine.opened([], forgotten: [], at: at(0))
        }
        #expect(opened.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.contains("closed") == true)
        let accepted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var engine = OutboxEngine(
                of: .quizzes, backoff: Backoff(initial: .seconds(1), maximum: .seconds(1)),
                random: SeededGenerator(seed: 1))
            _ = engine.opens()
            _ = engine.accepted([], at: at(0))
        }
        #expect(accepted.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.contains("opening") == true)
    }

    // MARK: - Sending

    @Test("An accepted quiz is sent after those in flight, or waits for the host")
    mutating func accepted() {
        #expect(open(isReachable: false) == [.opened(pending: 0)])
        #expect(engine.accepted([Self.entry(a)], at: at(0)) == [])
        #expect(engine.reachabilityChanged(true, at: at(0)) == [.transmit(a, attempt: 1, after: nil)])
        #expect(engine.accepted([Self.entry(b)], at: at(0)) == [.transmit(b, attempt: 1, after: a)])
        #expect(engine.isUnderWay(a))
        #expect(!engine.isUnderWay(c))
    }

    @Test(
        "A failed try is repeated after the back-off, not before, together with the later ones")
    mutating func retries() {
        _ = open(a, b)
        #expect(end(a, .emptyReply) == [.retries(a, attempt: 1, reason: "the host's reply is empty")])
        #expect(engine.nextDeadline == nil)
        #expect(end(b, .lacksRoom, at: 1) == [.retries(b, attempt: 1, reason: "it waits for earlier quizzes")])
        // Half of the delay is fixed, the other half is random.
        guard let deadline = engine.nextDeadline else { return #expect(Bool(false), "no deadline") }
        #expect(at(1 + 2)...at(1 + 4) ~= deadline)
        #expect(engine.deadlinePassed(at: MonotonicTime(nanoseconds: deadline.nanoseconds - 1)) == [])
        #expect(engine.nextDeadline == deadline)
        #expect(
            engine.deadlinePassed(at: deadline)
                == [.transmit(a, attempt: 2, after: nil), .transmit(b, attempt: 2, after: a)])
    }

    @Test("A host that comes back ends the wait")
    mutating func comesBack() {
        _ = open(a)
        #expect(engine.reachabilityChanged(false, at: at(1)) == [])
        _ = end(a, .failed(.notReachable, reason: "away"), at: 1)
        #expect(engine.reachabilityChanged(true, at: at(1)) == [.transmit(a, attempt: 2, after: nil)])
    }

    @Test("Tries in flight when the app ended are repeated by the next one, in order")
    mutating func endedApp() {
        #expect(open(a, b).suffix(2) == [.transmit(a, attempt: 1, after: nil), .transmit(b, attempt: 1, after: a)])
        let reason = "the app ended before it received an answer"
        #expect(
            engine.activated(isReachable: true, at: at(1)) == [
                .retries(a, attempt: 1, reason: reason), .retries(b, attempt: 1, reason: reason),
                .transmit(a, attempt: 2, after: nil), .transmit(b, attempt: 2, after: a),
            ])
        // A late result of the earlier try counts as well.
        #expect(end(a, .acknowledged(.stored)).contains(.record([Self.replied(a)])))
    }

    @Test("A quiz with a predecessor waits if the link cannot take it; one without is sent in any case")
    func room() {
        #expect(OutboxEngine.hasRoom(payloadBytes: 200, limit: 200, after: a))
        #expect(!OutboxEngine.hasRoom(payloadBytes: 201, limit: 200, after: a))
        #expect(OutboxEngine.hasRoom(payloadBytes: 201, limit: 200, after: nil))
    }

    @Test("A reply that is unreadable or about another quiz is reported, and the quiz is resent")
    mutating func oddReplies() {
        _ = open(a, b, c)
        #expect(
            end(a, .mistakenReply(about: d)) == [
                .replyWasMistaken(a, about: d),
                .retries(a, attempt: 1, reason: "the host's reply is about another quiz or different content"),
            ])
        #expect(
            end(b, .unreadableReply(error: "cut off")) == [
                .replyWasUnreadable(b, error: "cut off"),
                .retries(b, attempt: 1, reason: "the host's reply is unreadable"),
            ])
    }

    // MARK: - Recording

    @Test("An end is recorded before it is reported")
    mutating func recorded() {
        _ = open(a)
        #expect(engine.asked(1, about: a, listed: nil) == [])
        #expect(
            end(a, .acknowledged(.stored)) == [.replied(a, attempt: 1), .record([Self.replied(a)])])
        #expect(engine.recorded(at: at(0)) == [.tell(1, .replied, reason: nil)])
    }

    @Test("A permanently refused quiz ends with the reason, and does not block later ones")
    mutating func refused() {
        _ = open(a, b)
        #expect(engine.asked(1, about: a, listed: nil) == [])
        let failed = OutboxEngine.End(a, position: 0xA, .failed, reason: "no title")
        #expect(
            end(a, .acknowledged(.invalid, message: "no title"))
                == [.gaveUp(a, attempt: 1, reason: "no title"), .record([failed])])
        #expect(engine.recorded(at: at(0)) == [.tell(1, .failed, reason: "no title")])
        #expect(end(b, .acknowledged(.repeated)) == [.replied(b, attempt: 1), .record([Self.replied(b)])])
    }

    @Test("Simultaneous ends are recorded together, and the next quiz is sent after that")
    mutating func together() {
        _ = open(a, b)
        let tries = [OutboxEngine.Try(a, .acknowledged(.stored)), OutboxEngine.Try(b, .acknowledged(.stored))]
        #expect(
            engine.ended(tries, at: at(0)) == [
                .replied(a, attempt: 1), .replied(b, attempt: 1), .record([Self.replied(a), Self.replied(b)]),
            ])
        #expect(engine.accepted([Self.entry(c)], at: at(0)) == [.transmit(c, attempt: 1, after: nil)])
    }

    @Test("One commit at a time: later ends are recorded by the next one")
    mutating func meanwhile() {
        _ = open(a, b, c)
        _ = engine.asked(1, about: b, listed: nil)
        #expect(end(a, .acknowledged(.stored)) == [.replied(a, attempt: 1), .record([Self.replied(a)])])
        #expect(end(b, .acknowledged(.stored)) == [.replied(b, attempt: 1)])
        #expect(end(c, .acknowledged(.stored)) == [.replied(c, attempt: 1)])
        #expect(engine.recorded(at: at(0)) == [.record([Self.replied(b), Self.replied(c)])])
        #expect(engine.recorded(at: at(0)) == [.tell(1, .replied, reason: nil)])
    }

    @Test("Ends that could not be recorded are not reported, and retried after a delay, not before")
    mutating func recordingFails() {
        _ = open(a, b)
        _ = engine.asked(1, about: a, listed: nil)
        _ = end(a, .acknowledged(.stored), at: 5)
        engine.recordingFailed(at: at(5))
        #expect(engine.nextDeadline == at(6))
        #expect(end(b, .acknowledged(.stored), at: 5.5) == [.replied(b, attempt: 1)])
        #expect(engine.deadlinePassed(at: at(5.999)) == [])
        #expect(engine.deadlinePassed(at: at(6)) == [.record([Self.replied(a), Self.replied(b)])])
        #expect(engine.nextDeadline == nil)
        #expect(engine.recorded(at: at(6)) == [.tell(1, .replied, reason: nil)])
    }

    @Test("A duplicate end counts once, and one of an unknown quiz is ignored")
    mutating func twice() {
        _ = open(a)
        _ = end(a, .acknowledged(.stored))
        #expect(end(a, .emptyReply) == [])
        #expect(end(d, .acknowledged(.stored)) == [])
        #expect(engine.recorded(at: at(0)) == [])
    }

    @Test("Old entries are pruned once enough have ended, and again until that has worked")
    mutating func pruned() {
        _ = open()
        let few = (0..<OutboxEngine.pruneInterval - 1).map {
            OutboxEngine.Entry(identifier: UUID(), position: Int64($0))
        }
        for entry in few {
            _ = engine.accepted([entry], at: at(0))
            _ = end(entry.identifier, .acknowledged(.stored))
            #expect(engine.recorded(at: at(0)) == [])
        }
        for (quiz, effects) in [(a, [OutboxEffect.prune]), (b, [.prune])] {
            _ = engine.accepted([Self.entry(quiz)], at: at(0))
            _ = end(quiz, .acknowledged(.stored))
            #expect(engine.recorded(at: at(0)) == effects)
        }
        engine.pruned([a])
        _ = engine.accepted([Self.entry(c)], at: at(0))
        _ = end(c, .acknowledged(.stored))
        #expect(engine.recorded(at: at(0)) == [])
    }

    // MARK: - Reporting

    @Test("A request about an end is answered immediately, even about a reply that the database forgot")
    mutating func askedLate() {
        _ = engine.opens()
        _ = engine.opened([], forgotten: [a], at: at(0))
        engine.pruned([b])
        #expect(engine.asked(1, about: c, listed: (.replied, nil)) == [.tell(1, .replied, reason: nil)])
        #expect(engine.asked(2, about: c, listed: (.failed, "no")) == [.tell(2, .failed, reason: "no")])
        #expect(engine.asked(3, about: a, listed: nil) == [.tell(3, .replied, reason: nil)])
        #expect(engine.asked(4, about: b, listed: nil) == [.tell(4, .replied, reason: nil)])
        let told = engine.asked(5, about: d, listed: nil)
        guard case .tell(5, .failed, let reason) = told.first else {
            Issue.record("expected the failure of a quiz that is not listed, came \(told)")
            return
        }
        #expect(reason?.contains("does not list it") == true)
    }

    @Test("All waiters of a quiz are notified, in the order of their requests, each once")
    mutating func allAreTold() {
        _ = open(a, b)
        #expect(engine.asked(1, about: a, listed: nil) == [])
        #expect(engine.asked(2, about: b, listed: nil) == [])
        #expect(engine.asked(3, about: a, listed: nil, until: at(60)) == [])
        _ = end(a, .acknowledged(.stored))
        #expect(engine.recorded(at: at(0)) == [.tell(1, .replied, reason: nil), .tell(3, .replied, reason: nil)])
        #expect(engine.nextDeadline == nil)
        #expect(engine.deadlinePassed(at: at(60)) == [])
    }

    @Test("A quiz that has ended but is not recorded yet is awaited like one in flight")
    mutating func askedBetween() {
        _ = open(a)
        _ = end(a, .acknowledged(.stored))
        #expect(!engine.isUnderWay(a))
        #expect(engine.asked(1, about: a, listed: (.pending, nil)) == [])
        #expect(engine.recorded(at: at(0)) == [.tell(1, .replied, reason: nil)])
    }

    @Test("A waiter whose time-out passes is notified that there is no end yet, at that time and once")
    mutating func patience() {
        _ = open(a, isReachable: false)
        #expect(engine.asked(1, about: a, listed: (.pending, nil), until: at(30)) == [])
        #expect(engine.asked(2, about: a, listed: (.pending, nil), until: at(10)) == [])
        #expect(engine.asked(3, about: a, listed: (.pending, nil), until: at(20)) == [])
        #expect(engine.asked(4, about: a, listed: (.pending, nil)) == [])
        #expect(engine.nextDeadline == at(10))
        #expect(engine.deadlinePassed(at: at(9.999)) == [])
        #expect(engine.deadlinePassed(at: at(10)) == [.tellPending(2)])
        #expect(engine.nextDeadline == at(20))
        #expect(engine.deadlinePassed(at: at(10)) == [])
        #expect(engine.deadlinePassed(at: at(40)) == [.tellPending(3), .tellPending(1)])
        #expect(engine.nextDeadline == nil)
        _ = engine.reachabilityChanged(true, at: at(40))
        _ = end(a, .acknowledged(.stored), at: 40)
        #expect(engine.recorded(at: at(40)) == [.tell(4, .replied, reason: nil)])
    }

    @Test("The reason for waiting: the session's obstacle, else the last error, and none when nothing waits")
    mutating func waitingReason() {
        _ = open(a, b)
        #expect(engine.waitingReason(obstacle: nil) == nil)
        #expect(engine.waitingReason(obstacle: "away") == "away")
        _ = end(a, .acknowledged(.unavailable, message: "full"))
        #expect(engine.waitingReason(obstacle: nil) == "full")
        #expect(engine.waitingReason(obstacle: "away") == "away")
        _ = end(b, .acknowledged(.stored))
        #expect(engine.waitingReason(obstacle: nil) == nil)
        _ = engine.deadlinePassed(at: at(100))
        _ = end(a, .emptyReply)
        #expect(engine.waitingReason(obstacle: nil) == "the host's reply is empty")
        _ = engine.reachabilityChanged(false, at: at(100))
        _ = engine.accepted([Self.entry(c)], at: at(100))
        #expect(engine.waitingReason(obstacle: nil) == "the host's reply is empty")
        _ = engine.reachabilityChanged(true, at: at(100))
        #expect(engine.waitingReason(obstacle: nil) == nil)
        _ = end(a, .gone)
        #expect(engine.waitingReason(obstacle: nil) == nil)
        _ = end(c, .gone)
        #expect(engine.waitingReason(obstacle: "away") == nil)
    }

    @Test("An attempt that failed for lack of a connection is no reason once there is one", arguments: [true, false])
    mutating func waitingReasonAfterReconnecting(isActivation: Bool) {
        _ = open(a)
        _ = end(a, .failed(.notReachable, reason: "not paired"))
        #expect(engine.waitingReason(obstacle: nil) == "not paired")
        _ = engine.reachabilityChanged(false, at: at(1))
        #expect(engine.waitingReason(obstacle: nil) == "not paired")
        _ =
            isActivation
            ? engine.activated(isReachable: true, at: at(2)) : engine.reachabilityChanged(true, at: at(2))
        #expect(engine.waitingReason(obstacle: nil) == nil)
    }

    @Test("What the activation says of the host's reachability counts from then on")
    mutating func activatedReach() {
        #expect(open(a, isReachable: false) == [.opened(pending: 1)])
        #expect(engine.activated(isReachable: true, at: at(1)) == [.transmit(a, attempt: 1, after: nil)])
        let reason = "the app ended before it received an answer"
        #expect(engine.activated(isReachable: false, at: at(2)) == [.retries(a, attempt: 1, reason: reason)])
        #expect(engine.deadlinePassed(at: at(3)) == [])
        #expect(engine.reachabilityChanged(true, at: at(4)) == [.transmit(a, attempt: 2, after: nil)])
    }
}
