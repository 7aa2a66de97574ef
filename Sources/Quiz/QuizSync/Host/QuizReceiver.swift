import CrashPoints
public import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
public import Metrics
public import RecordStorage

/// A receiver for a ``WatchSessionDelegate`` that stores the quizzes, and settles each as a ``ReceiverEngine`` decides.
///
/// A round of messages is decoded on the delegate's queue. A few quizzes are stored there as well, because their
/// senders wait and a change of threads would gain nothing. Many are stored on a separate queue while the next ones are
/// decoded. All quizzes that wait when the database becomes free are stored in one transaction; each is replied to
/// after the commit.
public final class QuizReceiver: MessageReceiver, NotificationPosting, Sendable {
    private struct Arrival: Sendable {
        let package: MessagePackage
        let reply: PendingReply?
        let time = MonotonicTime.now
    }

    private struct Waiting {
        var quizzes: [ArrivedQuiz] = []
        /// True while a thread stores the waiting quizzes until none are left.
        var isTaken = false
    }

    /// The largest round that is stored on the thread that decoded it. 8: the commit takes longer than the decoding.
    private static let fewQuizzes = 8
    /// The number of decoded quizzes that are handed over together. 32: a commit's fixed costs are small compared with
    /// them, and decoding, storing and replying run in parallel.
    private static let decodedTogether = 32

    private static let durableSeconds = MetricRegistry.process.histogram(
        "watchlink_quiz_durable_seconds", help: "Time from a quiz's arrival to its commit.",
        bounds: Histogram.latencies
    ).cell()
    private static let batch = MetricRegistry.process.histogram(
        "watchlink_quiz_batch_size", help: "Quizzes per commit.", bounds: Histogram.sizes
    ).cell()
    private static let decodeErrors = MetricRegistry.process.counter(
        "watchlink_quiz_decode_errors_total", help: "Messages rejected as quizzes, by cause.",
        labels: "cause")

    private let store: any RecordStore
    private let logger: Logger
    private let usage: UsageRecorder
    private let queue = DispatchQueue(label: "watchlink.quiz.receiver")
    private let arrivals = Batch<Arrival>()
    private let waiting = Mutex(Waiting())
    private let engine = Mutex(ReceiverEngine())

    /// Creates a receiver that stores into `store`, and records stored quizzes in `usage`.
    public init(store: any RecordStore, logger: Logger, usage: UsageRecorder = UsageRecorder(isOn: false)) {
        self.usage = usage
        self.store = store
        self.logger = logger
    }

    /// Collects a message of the current round.
    public func received(_ package: MessagePackage, reply: PendingReply?) {
        _ = arrivals.add(Arrival(package: package, reply: reply))
    }

    /// Decodes and stores the collected messages.
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

    /// Decodes the arrivals, and queues them for the database.
    ///
    /// - Returns: True if no thread is storing, so that the caller must start it.
    private func handOver(_ arrived: some Collection<Arrival>) -> Bool {
        let quizzes = arrived.map(decode)
        return waiting.withLock { waiting in
            waiting.quizzes += quizzes
            defer { waiting.isTaken = waiting.isTaken || !quizzes.isEmpty }
            return !waiting.isTaken && !quizzes.isEmpty
        }
    }

    /// Stores and replies to everything that has arrived.
    public func finish() {
        _ = handOver(arrivals.take())
        queue.sync { storeWaiting() }
    }

    private func decode(_ arrival: Arrival) -> ArrivedQuiz {
        let quiz = ArrivedQuiz(arrival.package, reply: arrival.reply, time: arrival.time)
        guard case .success(let content) = quiz.content else { return quiz }
        logger.log(
            .quizReceived,
            [
                .package(content.key.identifier), .device(content.key.device), .status("Received"),
                .bytes(content.archive.count),
            ])
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
        // The replies are written first; observers, on another thread, are woken after that.
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

    /// - Returns: The next effects.
    private func store(_ places: [Int], of arrived: [ArrivedQuiz]) -> [ReceiverEngine.Effect] {
        let time = Date()
        let contents = places.compactMap { place -> Record? in
            guard case .success(let content) = arrived[place].content else { return nil }
            return content
        }
        do throws(StoreError) {
            let outcomes = try compared(store.insert(contents, receivedAt: time), contents)
            CrashPoint.quizCommitted.pass()
            Self.batch.observe(Double(places.count))
            let now = MonotonicTime.now
            for place in places { Self.durableSeconds.observe(now.seconds(since: arrived[place].time)) }
            for content in contents where QuizRow(content).map({ QuizData.isAhead($0.takenAt, of: time) }) == true {
                logger.log(.quizAheadOfClock, [.package(content.key.identifier), .device(content.key.device)])
            }
            return engine.withLock { $0.stored(outcomes) }
        } catch {
            // The database has logged the error; the senders try again.
            return engine.withLock { $0.storingFailed() }
        }
    }

    /// Compares quizzes with different bytes by their content.
    private func compared(
        _ outcomes: [InsertOutcome], _ quizzes: [Record]
    ) throws(StoreError) -> [InsertOutcome] {
        var outcomes = outcomes
        for (place, (quiz, outcome)) in zip(quizzes, outcomes).enumerated() where outcome == .conflict {
            let known = try store.receivedArchive(quiz.key)
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
        case .unavailable: break  // The database has logged the error.
        }
    }
}
