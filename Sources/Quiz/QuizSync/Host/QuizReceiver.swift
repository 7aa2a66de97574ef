import CrashPoints
public import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
public import Metrics
public import QuizStorage
import Storage

/// Stores what arrives, as the receiver of a ``WatchSessionDelegate``.
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
    private let gate = Mutex(PredecessorGate())

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
        var round = ReceivingRound()
        var (contents, quizzes): ([NewQuiz], [ArrivedQuiz]) = ([], [])
        for quiz in arrived {
            round.begin(quiz)
            let isNext = isNext(quiz, &round)
            switch quiz.content {
            case .success(let content) where isNext:
                contents.append(content)
                quizzes.append(quiz)
            case .success: putOff(quiz, &round)
            case .failure(let error): refuse(quiz, error, &round)
            }
        }
        // The senders wait for their replies; whoever is told here, on another thread, begins when they are written.
        postTogether {
            if quizzes.isEmpty || store(contents, quizzes, &round) { gate.withLock { $0.settled(round.latest) } }
            PendingReply.send(round.answers)
            post(.messageStatusDidChange, objects: round.statuses)
        }
    }

    /// Whether all that its device sent before a quiz is settled, or will be with it.
    private func isNext(_ quiz: ArrivedQuiz, _ round: inout ReceivingRound) -> Bool {
        gate.withLock {
            $0.admits(quiz.package.identifier, after: quiz.predecessor, from: quiz.device, in: &round.latest)
        }
    }

    private func putOff(_ quiz: ArrivedQuiz, _ round: inout ReceivingRound) {
        let message = "one that was sent before it is not stored yet"
        logger.log(.quizPutOff, [.package(quiz.package.identifier), .status("Failed"), .reason(message)])
        round.settle(quiz, .unavailable, message: message)
    }

    /// - Returns: Whether the database has them.
    private func store(_ contents: [NewQuiz], _ quizzes: [ArrivedQuiz], _ round: inout ReceivingRound) -> Bool {
        let time = Date()
        do throws(DatabaseError) {
            let outcomes = try settled(store.insert(contents, receivedAt: time), contents)
            CrashPoint.quizCommitted.pass()
            Self.batch.observe(Double(quizzes.count))
            let now = MonotonicTime.now
            for quiz in quizzes { Self.durableSeconds.observe(now.seconds(since: quiz.time)) }
            for (quiz, outcome) in zip(quizzes, outcomes) { settle(quiz, outcome, &round) }
            for content in contents where QuizData.isAhead(content.takenAt, of: time) {
                logger.log(.quizAheadOfClock, [.package(content.identifier), .device(content.device)])
            }
            return true
        } catch {
            // The database has logged why; senders try again every second or so.
            for quiz in quizzes { round.settle(quiz, .unavailable, message: "the host's database is not available") }
            return false
        }
    }

    private func settle(_ quiz: ArrivedQuiz, _ outcome: InsertOutcome, _ round: inout ReceivingRound) {
        let identifier = quiz.package.identifier
        switch outcome {
        case .stored(let sequence):
            usage.record(.quizStored)
            logger.log(.quizStored, [.package(identifier), .status("Replied"), .sequence(sequence)])
            round.settle(quiz, .stored)
        case .repeated:
            logger.log(.quizRepeated, [.package(identifier), .status("Replied")])
            round.settle(quiz, .repeated)
        case .conflict:
            let message = "a quiz of this identifier with other content is stored already"
            logger.log(.quizRefused, [.package(identifier), .status("Failed"), .reason(message)])
            round.settle(quiz, .conflict, message: message)
        }
    }

    /// What is a conflict by its bytes may be a repeat by its content: archivers need not agree on every byte.
    private func settled(
        _ outcomes: [InsertOutcome], _ quizzes: [NewQuiz]
    ) throws(DatabaseError) -> [InsertOutcome] {
        var outcomes = outcomes
        for (place, quiz) in quizzes.enumerated() where outcomes[place] == .conflict {
            guard let known = try store.receivedArchive(quiz.identifier, device: quiz.device) else { continue }
            if Self.isSame(known, quiz.archive) { outcomes[place] = .repeated }
        }
        return outcomes
    }

    private static func isSame(_ known: Data, _ archive: Data) -> Bool {
        do throws(QuizError) {
            return try EncodedData(known).quizData == EncodedData(archive).quizData
        } catch {
            // What cannot be read any more is not the same as what was read a moment ago.
            return false
        }
    }

    private func refuse(_ quiz: ArrivedQuiz, _ error: QuizError, _ round: inout ReceivingRound) {
        let verdict: QuizVerdict =
            switch error {
            case .invalid: .invalid
            case .undecodable: .undecodable
            }
        Self.decodeErrors.add(1, verdict.rawValue)
        logger.log(
            .quizRefused,
            [.status("Failed"), .error(error)] + (quiz.package.origin.map { [.device($0)] } ?? []))
        round.settle(quiz, verdict, message: "\(error)")
    }
}
