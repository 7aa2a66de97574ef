import Foundation
import LinkProtocol
import QuizSync
import RecordStorage
import WatchConnectivity

/// The quiz application in one life of a device's program: the product's engines, with simulated effects.
///
/// Planted bugs drop, change or repeat an effect, or make the store forget; the engines are unmodified.
final class QuizApp {
    /// The time a waiter waits for a quiz's end before it requests the reason and waits again.
    private static let patience: Duration = .seconds(600)
    /// The time that another waiter for the same quiz waits: it must not take the first one with it.
    private static let impatience: Duration = .seconds(45)

    // Proof of `unowned(unsafe)`: the process owns the application.
    private unowned(unsafe) let process: any QuizProcess
    private let node: DeviceNode
    private let world: World

    @exclusivity(unchecked) private var outbox: OutboxEngine
    /// The deadline of the current timer.
    private var deadline: MonotonicTime?
    /// Tries that have ended, to be processed as one batch.
    @exclusivity(unchecked) private var tries: [OutboxEngine.Try] = []
    /// The quizzes whose end each waiter waits for, by its number; nil once it was told.
    @exclusivity(unchecked) private var waiters: [UUID?] = []
    /// True if the outbox was told that the phone is reachable.
    private var isReachable = false
    /// The number of accepted quizzes without an end.
    private var pending = 0
    /// The quizzes with an attempt that has not ended.
    @exclusivity(unchecked) private var attempted = NameSet()
    /// The times at which attempts are due.
    @exclusivity(unchecked) private var pauses = AttemptPauses()
    /// The time by which an attempt must begin: quizzes wait, the phone is reachable, and no attempt is under way.
    private var owedUntil: MonotonicTime?

    @exclusivity(unchecked) private var receiver = ReceiverEngine()
    /// The arrivals for the next round.
    @exclusivity(unchecked) private var arrivals: [ReceiverEngine.Arrival] = []
    private var isRoundDue = false
    /// The quizzes of the current round without a result.
    private var unsettled = 0
    /// The quizzes that it may settle.
    @exclusivity(unchecked) private var order = SettledOrder()

    init(_ process: any QuizProcess, _ node: DeviceNode, _ world: World) {
        self.process = process
        self.node = node
        self.world = world
        outbox = OutboxEngine(
            of: .quizzes, backoff: .delivery,
            random: SeededGenerator(seed: world.random.next()))
    }

    func start() { if node.role == .companion { openIfNeeded() } }

    private func trace(_ line: () -> String) { world.trace { "node \(node.index): \(line())" } }

    // MARK: - The companion's outbox

    /// Submits a quiz for an application, and waits for its end if it is accepted.
    func submit(_ quiz: UUID) {
        if world.bug == .acceptsUnsynced { world.chronicle.accepted(quiz) }
        openIfNeeded()
        guard Self.isOpen(&outbox) else { return }
        process.commit(isEager: false) { records -> Int64 in
            records.lastPosition += 1
            records.outbox[quiz] = AppRecords.Entry(position: records.lastPosition)
            return records.lastPosition
        } _: { [self] position in
            guard let position else { return }
            trace { "accepts quiz \(world.name(quiz))" }
            world.chronicle.accepted(quiz)
            pending += 1
            perform(outbox.accepted([OutboxEngine.Entry(identifier: quiz, position: position)], at: world.now))
            ask(about: quiz)
            if world.isThorough { ask(about: quiz, for: Self.impatience) }
        }
    }

    func reachabilityChanged(_ isReachable: Bool) {
        trace { "the outbox learns that the phone is \(isReachable ? "reachable" : "not reachable")" }
        self.isReachable = isReachable
        if isReachable { pauses.reached() }
        perform(outbox.reachabilityChanged(isReachable, at: world.now))
    }

    /// The app was activated, for the first time or again.
    func activated(isReachable: Bool) {
        self.isReachable = isReachable
        pauses.restarted()
        if isReachable { pauses.reached() }
        perform(outbox.activated(isReachable: isReachable, at: world.now))
    }

    /// The host replied to a quiz.
    func replied(_ quiz: UUID, _ reply: Data?) {
        let verdict = reply.flatMap { QuizVerdict(rawValue: String(decoding: $0, as: UTF8.self)) }
        end(quiz, verdict.map { .acknowledged($0) } ?? .emptyReply)
    }

    /// A quiz could not be delivered.
    func failed(_ quiz: UUID, _ code: WCError.Code, reason: String) { end(quiz, .failed(code, reason: reason)) }

    private func end(_ quiz: UUID, _ ending: AttemptResult) {
        tries.append(OutboxEngine.Try(quiz, ending))
        guard tries.count == 1 else { return }
        process.schedule(
            at: world.now,
            .action { [self] in
                defer { tries.removeAll() }
                for ended in tries { attempted.remove(ended.identifier) }
                let effects = outbox.ended(tries, at: world.now)
                count(effects)
                perform(effects)
            })
    }

    private func openIfNeeded() { if outbox.opens() { perform([.open]) } }

    private func perform(_ effects: [OutboxEffect]) {
        for effect in effects { perform(effect) }
        setTimer()
        checkAttempts()
    }

    /// Counts the outcomes of attempts that have ended.
    private func count(_ effects: [OutboxEffect]) {
        for effect in effects {
            switch effect {
            case .replied, .gaveUp: pauses.succeeded()
            case .retries: pauses.failed()
            default: break
            }
        }
        if attempted.isEmpty { pauses.roundEnded(at: world.now) }
    }

    /// Complains when the next attempt of quizzes that wait does not come.
    private func checkAttempts() {
        guard pending > 0, isReachable, attempted.isEmpty, Self.isOpen(&outbox) else {
            owedUntil = nil
            return
        }
        let deadline = pauses.deadline(at: world.now)
        // The first one holds, unless something has ended the pause that it allowed for.
        if let owedUntil, owedUntil <= deadline { return }
        owedUntil = deadline
        let check = Event.action { [self] in
            guard owedUntil == deadline else { return }
            world.chronicle.fail(
                .onTime, "node \(node.index) has not sent its \(pending) quizzes by \(deadline.nanoseconds) ns")
        }
        process.schedule(at: deadline, check)
    }

    private func perform(_ effect: OutboxEffect) {
        switch effect {
        case .open: open()
        case .transmit(let quiz, let attempt, let predecessor):
            trace { "sends quiz \(world.name(quiz)), try \(attempt)" }
            world.chronicle.status(quiz, .sent)
            attempted.insert(quiz)
            if !pauses.began(at: world.now) {
                world.chronicle.fail(.onTime, "node \(node.index) sends quiz \(quiz) during its pause")
            }
            process.sendQuiz(quiz, after: world.bug == .forgetsPredecessor ? nil : predecessor)
        case .record(let ends): record(ends)
        // The judge requests all of them at the end.
        case .prune: outbox.pruned([])
        case .tell(let waiter, let state, let reason):
            guard let quiz = waiters[waiter].take() else {
                return world.chronicle.fail(.oneHandler, "waiter \(waiter) was told twice of a quiz's end")
            }
            let end = QuizEnd(isFailed: state == .failed, cause: world.bug == .forgetsCause ? nil : reason)
            trace { "quiz \(world.name(quiz)) has ended\(end.isFailed ? " as failed" : "")" }
            world.quizEnded(quiz, end)
        case .tellPending(let waiter):
            guard let quiz = waiters[waiter].take() else {
                return world.chronicle.fail(
                    .oneHandler, "waiter \(waiter) lost its patience after it was told of the end")
            }
            ask(about: quiz)
        case .replied(let quiz, _):
            pending -= 1
            world.chronicle.status(quiz, .replied)
        case .gaveUp(let quiz, _, _):
            pending -= 1
            world.chronicle.status(quiz, .failed)
        case .retries(let quiz, _, let reason):
            trace { "quiz \(world.name(quiz)) must be sent again: \(reason)" }
            world.chronicle.status(quiz, .failed)
            if world.bug == .skipsStatus { world.chronicle.status(quiz, .replied) }
        case .opened, .replyWasMistaken, .replyWasUnreadable: break
        }
    }

    private func open() {
        guard !node.isDiskFailing() else {
            return outbox.openingFailed("the disk is full", at: world.now)
        }
        let entries = node.app.content.outbox.all.sorted { $0.1.position < $1.1.position }
        let pending = entries.filter { $0.1.end == nil }
            .map { OutboxEngine.Entry(identifier: $0.0, position: $0.1.position) }
        self.pending = pending.count
        perform(outbox.opened(pending, forgotten: [], at: world.now))
        // Also for ends that were recorded but not reported before a crash.
        for (quiz, _) in entries { ask(about: quiz) }
    }

    /// The number of waiters that were not told of the end.
    var waiterCount: Int { waiters.count { $0 != nil } }

    private func ask(about quiz: UUID, for patience: Duration = patience) {
        waiters.append(quiz)
        let listed: (OutboxEntry.State, String?)? = node.app.content.outbox[quiz].map { entry in
            guard let end = entry.end else { return (.pending, nil) }
            return (end.isFailed ? .failed : .replied, end.cause)
        }
        perform(outbox.asked(waiters.count - 1, about: quiz, listed: listed, until: world.now + patience))
    }

    private func record(_ ends: [OutboxEngine.End]) {
        process.commit(isEager: false) { records in
            for end in ends {
                records.outbox[end.identifier]?.end = QuizEnd(isFailed: end.state == .failed, cause: end.reason)
            }
        } _: { [self] done in
            guard done != nil else {
                outbox.recordingFailed(at: world.now)
                return setTimer()
            }
            perform(outbox.recorded(at: world.now))
        }
    }

    private func setTimer() {
        guard let next = Self.nextDeadline(of: &outbox), deadline.map({ next < $0 }) ?? true, world.bug != .neverRetries
        else {
            return
        }
        deadline = next
        let action = Event.action { [self] in
            guard deadline == next else { return }
            deadline = nil
            perform(outbox.deadlinePassed(at: world.now))
        }
        process.schedule(at: max(next, world.now), action)
    }

    // In place: a getter would copy the engine.
    @inline(never)
    private static func isOpen(_ outbox: inout OutboxEngine) -> Bool { outbox.isOpen }
    @inline(never)
    private static func nextDeadline(of outbox: inout OutboxEngine) -> MonotonicTime? { outbox.nextDeadline }

    // MARK: - The host's receiver

    func arrived(_ quiz: UUID, from device: UUID, after predecessor: UUID?) {
        let refusal = world.isValid(quiz) ? nil : PayloadError.invalid(field: "title", reason: "is empty")
        arrivals.append(ReceiverEngine.Arrival(quiz, from: device, after: predecessor, refusal: refusal))
        receiveNext()
    }

    /// Starts the next round; like the product's queue, it runs one round at a time.
    private func receiveNext() {
        guard !isRoundDue, !receiver.isStoring, !arrivals.isEmpty else { return }
        isRoundDue = true
        let action = Event.action { [self] in
            isRoundDue = false
            let round = arrivals
            arrivals.removeAll()
            unsettled = round.count
            order.arrived(round)
            perform(receiver.arrived(round), round)
            if !receiver.isStoring { order.ended(isStored: true) }
        }
        process.schedule(at: world.now, action)
    }

    private func perform(_ effects: [ReceiverEngine.Effect], _ round: [ReceiverEngine.Arrival]) {
        for effect in effects {
            switch effect {
            case .store(let places):
                if places.isEmpty { world.chronicle.fail(.bounded, "the receiver stores nothing, in a transaction") }
                store(places.map { round[$0] }, of: round)
            case .settle(let place, let settlement):
                unsettled -= 1
                let (quiz, device) = (round[place].payload, round[place].device)
                if let complaint = order.complaint(settlement, place) {
                    world.chronicle.fail(.order, "quiz \(quiz) \(complaint)")
                }
                trace { "settles quiz \(world.name(quiz)): \(settlement)" }
                process.answerQuiz(quiz, of: device, Data(settlement.verdict.rawValue.utf8))
            }
        }
        if !receiver.isStoring, unsettled != 0 {
            world.chronicle.fail(.storedOnce, "\(unsettled) of \(round.count) quizzes were not settled")
        }
        receiveNext()
    }

    private func store(_ quizzes: [ReceiverEngine.Arrival], of round: [ReceiverEngine.Arrival]) {
        let forgetsKeys = world.bug == .storesTwice
        process.commit(isEager: world.bug == .repliesUnsynced) { records in
            quizzes.map { quiz in
                let key = RecordKey(quiz.payload, device: quiz.device)
                let count = records.quizzes[quiz.payload] ?? 0
                guard count == 0 || forgetsKeys else { return .repeated }
                records.quizzes[quiz.payload] = count + 1
                records.rows.append(key)
                return .stored(sequence: Int64(records.rows.count))
            }
        } _: { [self] (outcomes: [InsertOutcome]?) in
            // A database that is in trouble may lose a part of its answer.
            let isPartial = node.disk.failures > 0 && world.random.happens(0.5)
            let answer = isPartial ? outcomes?.dropLast() : outcomes
            let effects = answer.map { receiver.stored($0) } ?? receiver.storingFailed()
            order.ended(isStored: answer?.count == quizzes.count)
            perform(effects, round)
        }
    }
}
