public import EventLog
public import LinkProtocol
public import Metrics
public import RecordStorage
public import RecordSync
public import WatchConnectivity

extension Outbox {
    /// Creates an outbox of quizzes; `start(_:)` begins sending.
    public convenience init(
        store: OutboxStore, session: WCSession, logger: Logger, backoff: Backoff = .delivery,
        usage: UsageRecorder = UsageRecorder(isOn: false)
    ) {
        self.init(of: .quizzes, store: store, session: session, logger: logger, backoff: backoff, usage: usage)
    }

    /// Accepts validated quizzes. When this returns they are durable and will be delivered.
    ///
    /// - Throws: `StoreError` if nothing was accepted; `ArchiveError` for a quiz that
    ///   cannot be archived; ``QuizError`` for one that is too large to be sent.
    public func submit(_ quizzes: [QuizData]) throws -> [AcceptOutcome] {
        let payloads: [any RecordPayload] = quizzes
        do {
            return try submit(payloads)
        } catch let error as PayloadError {
            throw QuizError(error)
        }
    }
}

extension RecordReceiver {
    /// Creates a receiver that stores quizzes into `store`, and records stored quizzes in `usage`.
    public convenience init(
        store: any RecordStore, logger: Logger, usage: UsageRecorder = UsageRecorder(isOn: false)
    ) {
        self.init(of: .quizzes, store: store, logger: logger, usage: usage)
    }
}
