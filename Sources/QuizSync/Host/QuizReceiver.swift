import CrashPoints
public import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
public import Metrics
public import Storage

/// Stores what arrives: an observer of ``Foundation/NSNotification/Name/didReceiveData``.
///
/// All quizzes that wait when the database is free go into one transaction; each is replied to after the commit.
public final class QuizReceiver: NotificationPosting, Sendable {
    private struct Arrival: Sendable {
        let package: MessagePackage
        let reply: PendingReply?
        let time = MonotonicTime.now
    }

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
    private let waiting = Batch<Arrival>()
    private let breaker = Mutex(StoreBreaker())
    private let observer = Mutex<NotificationObserver?>(nil)

    public init(store: any QuizStore, logger: Logger, usage: UsageRecorder = UsageRecorder(isOn: false)) {
        self.usage = usage
        self.store = store
        self.logger = logger
        let token = NotificationObserver(.didReceiveData) { [weak self] notification in
            guard let package = notification.object as? MessagePackage else { return }
            self?.arrived(package, notification.userInfo?[NotificationKey.reply] as? PendingReply)
        }
        observer.withLock { $0 = token }
    }

    /// Waits until everything that has arrived is stored and replied to.
    public func finish() { queue.sync { storeWaiting() } }

    private func arrived(_ package: MessagePackage, _ reply: PendingReply?) {
        if waiting.add(Arrival(package: package, reply: reply)) { queue.async { self.storeWaiting() } }
    }

    private func storeWaiting() {
        let arrivals = waiting.take()
        var quizzes: [NewQuiz] = []
        var owners: [(arrival: Arrival, package: MessagePackage)] = []
        for arrival in arrivals {
            do throws(QuizError) {
                let quiz = try Self.newQuiz(arrival.package)
                let package = follow(arrival.package, as: quiz.identifier)
                logger.log(
                    .quizReceived,
                    [.package(quiz.identifier), .device(quiz.device), .status("Received"), .bytes(quiz.archive.count)])
                CrashPoint.quizDecoded.pass()
                quizzes.append(quiz)
                owners.append((arrival, package))
            } catch {
                refuse(arrival, error)
            }
        }
        guard !quizzes.isEmpty else { return }
        storeAll(quizzes, owners)
    }

    private func storeAll(_ quizzes: [NewQuiz], _ owners: [(arrival: Arrival, package: MessagePackage)]) {
        guard breaker.withLock({ $0.allows(at: .now) }) else {
            for owner in owners { settle(owner, .unavailable, message: "the database failed a moment ago") }
            return
        }
        do throws(DatabaseError) {
            let outcomes = try settled(store.insert(quizzes, receivedAt: Date()), quizzes)
            CrashPoint.quizCommitted.pass()
            Self.batch.observe(Double(quizzes.count))
            let now = MonotonicTime.now
            for owner in owners { Self.durableSeconds.observe(now.seconds(since: owner.arrival.time)) }
            if breaker.withLock({ $0.succeeded() }) { logger.log(.databaseRecovered) }
            for (owner, outcome) in zip(owners, outcomes) {
                switch outcome {
                case .stored(let sequence):
                    usage.record(.quizStored)
                    logger.log(
                        .quizStored, [.package(owner.package.identifier), .status("Replied"), .sequence(sequence)])
                    settle(owner, .stored)
                case .repeated:
                    logger.log(.quizRepeated, [.package(owner.package.identifier), .status("Replied")])
                    settle(owner, .repeated)
                case .conflict:
                    let message = "a quiz of this identifier with other content is stored already"
                    logger.log(
                        .quizRefused, [.package(owner.package.identifier), .status("Failed"), .reason(message)])
                    settle(owner, .conflict, message: message)
                }
            }
        } catch {
            breaker.withLock { $0.failed(at: .now) }
            logger.log(.databaseUnavailable, [.error(error), .count(quizzes.count)])
            for owner in owners { settle(owner, .unavailable, message: "the host's database is not available") }
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

    /// The arrival's package under the quiz's identifier, which is the message's on the companion as well.
    private func follow(_ package: MessagePackage, as identifier: UUID) -> MessagePackage {
        let named = MessagePackage(
            identifier: identifier, command: package.command, status: .received, wantsReply: package.wantsReply,
            timestamp: package.timestamp, origin: package.origin)
        post(.messageStatusDidChange, object: named)
        return named
    }

    private func settle(
        _ owner: (arrival: Arrival, package: MessagePackage), _ verdict: QuizVerdict, message: String? = nil
    ) {
        let status: DeliveryStatus = Disposition(verdict) == .delivered ? .replied : .failed
        // Told here before it is told there: who has the reply finds the status.
        post(.messageStatusDidChange, object: owner.package.with(status: status, errorMessage: message))
        owner.arrival.reply?.send(QuizAcknowledgement(owner.package.identifier, verdict, message: message))
        CrashPoint.quizReplied.pass()
    }

    private func refuse(_ arrival: Arrival, _ error: QuizError) {
        let verdict: QuizVerdict =
            switch error {
            case .invalid: .invalid
            case .undecodable: .undecodable
            }
        Self.decodeErrors.add(1, verdict.rawValue)
        logger.log(
            .quizRefused,
            [.status("Failed"), .error(error)] + (arrival.package.origin.map { [.device($0)] } ?? []))
        settle((arrival, follow(arrival.package, as: arrival.package.identifier)), verdict, message: "\(error)")
    }

    /// The device of a quiz that no connection brought: all zeros.
    private static let unknownDevice = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private static func newQuiz(_ package: MessagePackage) throws(QuizError) -> NewQuiz {
        guard let payload = package.dataPackage else { throw .undecodable("the message is empty") }
        let encoded = try EncodedData(payload: payload)
        let quiz = try encoded.quizData
        try quiz.validate(now: Date())
        return NewQuiz(quiz, device: package.origin ?? unknownDevice, archive: encoded.data)
    }
}
