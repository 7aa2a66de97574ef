import CrashPoints
public import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
public import Metrics
public import QuizStorage
import Storage

/// Stores what arrives, as the receiver of a ``WatchSessionDelegate``. A ``ReceiverEngine`` decides what becomes of it.
///
/// A round of messages is decoded on the delegate's queue. A few quizzes are stored there as well: their senders wait, and
/// nothing is gained by a change of threads. Many are stored on a queue of their own while the next are decoded. All quizzes
/// that wait when the database is free go into one transaction; each is replied to after the commit.
public final class QuizReceiver: MessageReceiver, NotificationPosting, Sendable {
    private struct Arrival: Sendable {
        let package: MessagePackage
        let reply: PendingReply?
        let time = MonotonicTime.now
    }

    private struct Waiting {
        var quizzes: [ArrivedQuiz] = []
        /// Whether somebody takes what waits until nothing does.
        var isTaken = false
    }

    /// Quizzes of one round that are stored where they were decoded. 8: their commit takes longer than to decode them.
    private static let fewQuizzes = 8
    /// Quizzes after which those that were decoded are handed over. 32: a commit's fixed costs are small against them, and
    /// decoding, storing and replying go on side by side.
    private static let decodedTogether = 32

    private static let durableSeconds = MetricRegistry.process.histogram(
        "watchlink_quiz_durable_seconds", help: "From a quiz's arrival to the commit that holds it.",
        bounds: Histogram.latencies
    ).cell()
    private static let batch = MetricRegistry.process.histogram(
        "watchlink_quiz_batch_size", help: "Quizzes that went into one commit.", bounds: Histogram.sizes
    ).cell()
    private static let decodeErrors = MetricRegistry.process.counter(
        "watchlink_quiz_decode_errors_total", help: "Messages that are no quiz that can be taken in, by cause.",
        labels: "cause")

    private let store: any QuizStore
    private let logger: Logger
    private let usage: UsageRecorder
    private let queue = DispatchQueue(label: "watchlink.quiz.receiver")
    private let arrivals = Batch<Arrival>()
    private let waiting = Mutex(Waiting())
    private let engine = Mutex(ReceiverEngine())

    public init(store: any QuizStore, logger: Logger, usage: UsageRecorder = UsageRecorder(isOn: false)) {
        self.usage = usage
        self.store = store
        self.logger = logger
    }

    public func received(_ package: MessagePackage, reply: PendingReply?) {
        _ = arrivals.add(Arrival(package: package, reply: reply))
    }

    public func roundEnded() {
        let arrived = arrivals.take()
        if arrived.count <= Self.fewQuizzes {
            if handOver(arrived) { queue.sync { storeWaiting() } }
            return
        }
        for start in stride(from: 0, to: arrived.count, by: Self.decodedTogether) {
            let part = arrived[start..<min(start + Self.decodedTogether, arrived.count)]
            if handOver(part) { queue.async { self.storeWaiting() } }
        }
    }

    /// Decodes what arrived, and lets it wait for the database.
    ///
    /// - Returns: Whether nobody takes what waits: then somebody must be told to.
    private func handOver(_ arrived: some Collection<Arrival>) -> Bool {
        let quizzes = arrived.map(decode)
        return waiting.withLock { waiting in
            waiting.quizzes += quizzes
            defer { waiting.isTaken = waiting.isTaken || !quizzes.isEmpty }
            return !waiting.isTaken && !quizzes.isEmpty
        }
    }

    /// Waits until everything that has arrived is stored and replied to.
    public func finish() {
        _ = handOver(arrivals.take())
        queue.sync { storeWaiting() }
    }

    private func decode(_ arrival: Arrival) -> ArrivedQuiz {
        let quiz = ArrivedQuiz(arrival.package, reply: arrival.reply, time: arrival.time)
        guard case .success(let content) = quiz.content else { return quiz }
        logger.log(
            .quizReceived,
            [.package(content.identifier), .device(content.device), .status("Received"), .bytes(content.archive.count)])
        CrashPoint.quizDecoded.pass()
        return quiz
    }

    // MARK: - On the queue

    private func storeWaiting() {
        while true {
            let quizzes = waiting.withLock { waiting in
                let quizzes = waiting.quizzes
                waiting.quizzes = []
                waiting.isTaken = !quizzes.isEmpty
                return quizzes
            }
            guard !quizzes.isEmpty else { return }
            store(quizzes)
        }
    }

    private func store(_ arrived: [ArrivedQuiz]) {
        var round = ReceivingRound(arrived)
        let effects = engine.withLock { $0.arrived(arrived.map(\.arrival)) }
        // The senders wait for their replies; whoever is told here, on another thread, begins when they are written.
        postTogether {
            perform(effects, arrived, &round)
            PendingReply.send(round.answers)
            post(.messageStatusDidChange, objects: round.statuses)
        }
    }

    private func perform(_ effects: [ReceiverEngine.Effect], _ arrived: [ArrivedQuiz], _ round: inout ReceivingRound) {
        for effect in effects {
            switch effect {
            case .store(let places): perform(store(places, of: arrived), arrived, &round)
            case .settle(let place, let settlement):
                log(arrived[place], settlement)
                round.settle(arrived[place], settlement)
            }
        }
    }

    /// - Returns: What follows.
    private func store(_ places: [Int], of arrived: [ArrivedQuiz]) -> [ReceiverEngine.Effect] {
        let time = Date()
        let contents = places.compactMap { place -> NewQuiz? in
            guard case .success(let content) = arrived[place].content else { return nil }
            return content
        }
        do throws(DatabaseError) {
            let outcomes = try compared(store.insert(contents, receivedAt: time), contents)
            CrashPoint.quizCommitted.pass()
            Self.batch.observe(Double(places.count))
            let now = MonotonicTime.now
            for place in places { Self.durableSeconds.observe(now.seconds(since: arrived[place].time)) }
            for content in contents where QuizData.isAhead(content.takenAt, of: time) {
                logger.log(.quizAheadOfClock, [.package(content.identifier), .device(content.device)])
            }
            return engine.withLock { $0.stored(outcomes) }
        } catch {
            // The database has logged why; senders try again.
            return engine.withLock { $0.storingFailed() }
        }
    }

    /// Conflicts by their bytes are looked at by their content.
    private func compared(
        _ outcomes: [InsertOutcome], _ quizzes: [NewQuiz]
    ) throws(DatabaseError) -> [InsertOutcome] {
        var outcomes = outcomes
        for (place, (quiz, outcome)) in zip(quizzes, outcomes).enumerated() where outcome == .conflict {
            let known = try store.receivedArchive(quiz.identifier, device: quiz.device)
            outcomes[place] = ReceiverEngine.outcome(ofConflictBetween: known, and: quiz.archive)
        }
        return outcomes
    }

    private func log(_ quiz: ArrivedQuiz, _ settlement: QuizSettlement) {
        let identifier = quiz.package.identifier
        switch settlement {
        case .stored(let sequence):
            usage.record(.quizStored)
            logger.log(.quizStored, [.package(identifier), .status("Replied"), .sequence(sequence)])
        case .repeated: logger.log(.quizRepeated, [.package(identifier), .status("Replied")])
        case .conflict, .putOff:
            logger.log(
                settlement == .putOff ? .quizPutOff : .quizRefused,
                [.package(identifier), .status("Failed")] + (settlement.message.map { [.reason($0)] } ?? []))
        case .refused(let error):
            Self.decodeErrors.add(1, settlement.verdict.rawValue)
            logger.log(
                .quizRefused,
                [.status("Failed"), .error(error)] + (quiz.package.origin.map { [.device($0)] } ?? []))
        case .unavailable: break  // The database has logged why.
        }
    }
}
