import CrashPoints
public import EventLog
public import Foundation
import LinkProtocol
import LinkTransport
import Locking
public import Metrics
public import QuizStorage
public import Storage
public import WatchConnectivity

/// The companion's quizzes on their way: durable before they are accepted, sent in order until the host has replied.
// Proof of `@unchecked Sendable`: all mutable state is used on `queue` alone.
public final class Outbox: SessionCommands, DataProvider, @unchecked Sendable {
    /// How long after the outbox's database failed it is tried again.
    private static let databaseRetry: DispatchTimeInterval = .seconds(1)
    /// Settled entries after which old ones are forgotten.
    private static let pruneInterval = 1_000
    /// Replies that are remembered beyond those that the database lists, for whoever asks late. 200,000: a few megabytes, and more
    /// than anybody hands over at once and waits for.
    private static let rememberedReplies = 200_000

    /// How a quiz ended, to be written down.
    private struct End {
        let identifier: UUID
        let position: Int64
        let state: OutboxEntry.State
        let reason: String?

        init(_ entry: OutboxStateMachine.Entry, _ state: OutboxEntry.State, reason: String? = nil) {
            identifier = entry.identifier
            position = entry.position
            self.state = state
            self.reason = reason
        }
    }

    public let session: WCSession
    private let store: OutboxStore
    private let logger: Logger
    private let queue = DispatchQueue(label: "watchlink.outbox")
    private let ended = Batch<(UUID, OutboxStateMachine.Outcome)>()

    private var machine: OutboxStateMachine
    private var observation: NSKeyValueObservation?
    private var timer: (any DispatchSourceTimer)?
    private var unrecorded: [End] = []
    /// Whether the database failed, and will be tried again.
    private var isRecordingLater = false
    private var waiters: [UUID: [Int: @Sendable (OutboxEntry.State, String?) -> Void]] = [:]
    private var lastWaiter = 0
    /// What last kept a quiz from its end, while none has had its end since.
    private var trouble: String?
    private var settledSincePrune = 0
    private var replied = RecentIdentifiers(capacity: rememberedReplies)
    private var isLoaded = false
    private let usage: UsageRecorder
    /// When quizzes were accepted whose delivery is timed; only if somebody wants to know.
    private var acceptedAt: [UUID: MonotonicTime] = [:]

    /// - Parameter backoff: The delays between tries.
    public init(
        store: OutboxStore, session: WCSession, logger: Logger,
        backoff: Backoff = Backoff(initial: .milliseconds(500), maximum: .seconds(30)),
        usage: UsageRecorder = UsageRecorder(isOn: false)
    ) {
        self.usage = usage
        self.store = store
        self.session = session
        self.logger = logger
        machine = OutboxStateMachine(backoff: backoff)
    }

    /// Begins to send what earlier runs left, as soon as the host is there.
    ///
    /// - Parameter onOpened: Called when the database is open, or could not be opened and is tried again.
    public func start(_ onOpened: @escaping @Sendable () -> Void = {}) {
        observation = session.observe(\.isReachable) { [weak self] session, _ in
            self?.reachabilityChanged(session.isReachable)
        }
        queue.async { [self] in
            machine.reachabilityChanged(session.isReachable)
            load()
            onOpened()
        }
    }

    /// Takes checked quizzes in. When this returns they are durable, and will arrive.
    ///
    /// - Throws: ``Storage/DatabaseError`` if nothing was taken in; ``KeyedArchive/ArchiveError`` for what has no archive.
    public func submit(_ quizzes: [QuizData]) throws -> [AcceptOutcome] {
        let entries = try quizzes.map { (identifier: $0.identifier, archive: try archivedData(of: $0)) }
        var archives: [UUID: Data] = [:]
        for entry in entries {
            // What could never be sent must not be accepted.
            let payload = try payload(around: entry.archive, after: entry.identifier)
            guard payload.count <= LinkLimits.messageBytes else {
                throw QuizError.invalid(
                    field: "quiz \(entry.identifier)",
                    reason: "takes \(payload.count) bytes; the limit is \(LinkLimits.messageBytes)")
            }
            archives[entry.identifier] = entry.archive
        }
        return try queue.sync {
            try loadOrThrow()
            let outcomes = try store.accept(entries, at: Date())
            CrashPoint.quizAccepted.pass()
            var accepted: [OutboxStateMachine.Entry] = []
            for (entry, outcome) in zip(entries, outcomes) {
                guard case .accepted(let position) = outcome else { continue }
                logger.log(.quizAccepted, [.package(entry.identifier), .bytes(entry.archive.count)])
                usage.record(.quizFinished)
                if usage.isOn { acceptedAt[entry.identifier] = .now }
                accepted.append(OutboxStateMachine.Entry(identifier: entry.identifier, position: position))
            }
            machine.accepted(accepted)
            transmit(archives)
            return outcomes
        }
    }

    /// Calls back when an entry has its end; at once if it has it already, or if there is no such entry.
    ///
    /// - Parameter patience: After how long it is called back in any case: pending, with why that is so.
    public func whenSettled(
        _ identifier: UUID, within patience: Duration? = nil,
        _ handler: @escaping @Sendable (OutboxEntry.State, String?) -> Void
    ) {
        queue.async { [self] in
            do {
                let entry = machine.isUnderWay(identifier) ? nil : try store.entry(identifier)
                guard machine.isUnderWay(identifier) || entry?.state == .pending else {
                    if entry == nil, replied.contains(identifier) { return handler(.replied, nil) }
                    return handler(entry?.state ?? .failed, entry.map(\.reason) ?? Self.unlisted)
                }
                wait(for: identifier, within: patience, handler)
            } catch {
                handler(.pending, "\(error)")
            }
        }
    }

    private static let unlisted =
        "the outbox does not list it: it was not accepted here, was dropped, or was replied to long ago"

    /// Sends again what has failed for good, behind all that waits.
    ///
    /// - Parameter identifiers: Which; nil for all.
    /// - Returns: Those that had failed.
    public func retry(_ identifiers: [UUID]?) throws(DatabaseError) -> [UUID] {
        try queue.sync {
            Result { () throws(DatabaseError) in
                try loadOrThrow()
                let retried = try store.retry(identifiers)
                machine.accepted(
                    retried.map { OutboxStateMachine.Entry(identifier: $0.identifier, position: $0.position) })
                transmit()
                return retried.map(\.identifier)
            }
        }.get()
    }

    /// Why what waits does not arrive: nil if nothing waits, or if nothing is known to be in its way.
    public var waitingReason: String? { queue.sync { currentReason } }

    /// Waits until the ends that are known are recorded, and lets go of the database.
    public func finish() {
        queue.sync {
            recordEnds()
            store.close()
        }
    }

    public func counts() throws(DatabaseError) -> [OutboxEntry.State: Int] { try store.counts() }

    /// The latest quizzes that were refused for good, the newest first.
    public func failed(limit: Int) throws(DatabaseError) -> [OutboxEntry] { try store.entries(.failed, limit: limit) }

    // MARK: - On the queue

    private var currentReason: String? {
        guard machine.pendingCount > 0 || !isLoaded else { return nil }
        return session.obstacle?.description ?? trouble
    }

    private func wait(
        for identifier: UUID, within patience: Duration?,
        _ handler: @escaping @Sendable (OutboxEntry.State, String?) -> Void
    ) {
        lastWaiter += 1
        let number = lastWaiter
        waiters[identifier, default: [:]][number] = handler
        guard let patience else { return }
        queue.asyncAfter(deadline: .now() + patience.inSeconds) { [weak self] in
            guard let self, let handler = waiters[identifier]?.removeValue(forKey: number) else { return }
            if waiters[identifier]?.isEmpty == true { waiters[identifier] = nil }
            handler(.pending, currentReason)
        }
    }

    private func load() {
        do {
            try loadOrThrow()
            transmit()
        } catch {
            trouble = "the outbox's database is not available: \(error)"
            queue.asyncAfter(deadline: .now() + Self.databaseRetry) { [weak self] in self?.load() }
        }
    }

    private func loadOrThrow() throws(DatabaseError) {
        guard !isLoaded else { return }
        let pending = try store.pending()
        try prune()
        machine.accepted(pending.map { OutboxStateMachine.Entry(identifier: $0.identifier, position: $0.position) })
        isLoaded = true
        trouble = nil
        logger.log(.databaseOpened, [.count(pending.count)])
    }

    private func reachabilityChanged(_ isReachable: Bool) {
        queue.async { [self] in
            machine.reachabilityChanged(isReachable)
            transmit()
        }
    }

    /// - Parameter archives: Those that are at hand, of quizzes that have just been accepted.
    private func transmit(_ archives: [UUID: Data] = [:]) {
        for entry in machine.transmit(at: .now) { send(entry, archives[entry.identifier]) }
        rearm()
    }

    private func send(_ entry: OutboxStateMachine.Entry, _ known: Data?) {
        do {
            guard let archive = try known ?? store.archive(entry.identifier) else {
                return end(entry.identifier, .refused(reason: "it is gone from the outbox"))
            }
            let payload = try payload(around: archive, after: entry.predecessor)
            guard payload.count <= LinkLimits.messageBytes || entry.predecessor == nil else {
                // Accepted by a version that left no room for a predecessor's name: it goes when it needs none.
                return end(entry.identifier, .unavailable(reason: "it waits for those before it"))
            }
            logger.log(.quizSent, [.package(entry.identifier), .status("Sent"), .attempt(entry.attempts)])
            sendMessageData(payload, identifier: entry.identifier) { [weak self] package in
                guard let self else { return }
                end(entry.identifier, outcome(package, archive))
            }
        } catch {
            end(entry.identifier, .unavailable(reason: "\(error)"))
        }
    }

    private func outcome(_ package: MessagePackage, _ archive: Data) -> OutboxStateMachine.Outcome {
        guard package.status == .replied else {
            let reason = package.errorMessage ?? "it failed without a reason"
            return .failed(package.errorCode.flatMap(WCError.Code.init(rawValue:)) ?? .genericError, reason: reason)
        }
        do {
            guard let acknowledgement = try QuizAcknowledgement.read(package.dataPackage ?? Data()) else {
                return .unavailable(reason: "the host's reply is empty")
            }
            guard acknowledgement.answers(package.identifier, archive: archive) else {
                logger.log(
                    .acknowledgementMistaken,
                    [.package(package.identifier)] + (acknowledgement.identifier.map { [.related($0)] } ?? []))
                return .unavailable(reason: "the host's reply is about another quiz or another content")
            }
            return .acknowledged(acknowledgement.verdict, reason: acknowledgement.message)
        } catch {
            logger.log(.acknowledgementUnreadable, [.package(package.identifier), .error(error)])
            return .unavailable(reason: "the host's reply is unreadable")
        }
    }

    /// From any thread: a try is over. What comes together is recorded together.
    private func end(_ identifier: UUID, _ outcome: OutboxStateMachine.Outcome) {
        if ended.add((identifier, outcome)) { queue.async { self.recordEnds() } }
    }

    private func recordEnds() {
        CrashPoint.acknowledgementReceived.pass()
        for (identifier, outcome) in ended.take() {
            switch machine.settled(identifier, outcome, at: .now, jitter: Double.random(in: 0..<1)) {
            case .ignore: break
            case .finish(let entry):
                trouble = nil
                timeDelivery(of: identifier)
                logger.log(.quizReplied, [.package(identifier), .status("Replied"), .attempt(entry.attempts)])
                unrecorded.append(End(entry, .replied))
            case .giveUp(let entry, let reason):
                trouble = nil
                acceptedAt[identifier] = nil
                logger.log(
                    .quizFailed,
                    [.package(identifier), .status("Failed"), .attempt(entry.attempts), .reason(reason)])
                unrecorded.append(End(entry, .failed, reason: reason))
            case .retry(let entry, let reason):
                trouble = reason
                logger.log(
                    .quizRetryScheduled,
                    [.package(identifier), .status("Failed"), .attempt(entry.attempts), .reason(reason)])
            }
        }
        record()
        transmit()
    }

    private func timeDelivery(of identifier: UUID) {
        guard let start = acceptedAt.removeValue(forKey: identifier) else { return }
        usage.record(.delivery, seconds: (MonotonicTime.now - start).inSeconds)
    }

    /// Writes the ends down. Until that works the quizzes count as pending, and a restart would send them again, which the
    /// host answers as it did.
    private func record() {
        guard !unrecorded.isEmpty, !isRecordingLater else { return }
        do {
            try store.settle(unrecorded.map { ($0.position, $0.state, $0.reason) }, at: Date())
            CrashPoint.endRecorded.pass()
            settledSincePrune += unrecorded.count
            if settledSincePrune >= Self.pruneInterval {
                settledSincePrune = 0
                try prune()
            }
        } catch {
            // The database has logged why.
            isRecordingLater = true
            queue.asyncAfter(deadline: .now() + Self.databaseRetry) { [weak self] in
                self?.isRecordingLater = false
                self?.record()
            }
            return
        }
        let recorded = unrecorded
        unrecorded.removeAll()
        for end in recorded {
            for waiter in (waiters.removeValue(forKey: end.identifier) ?? [:]).values { waiter(end.state, end.reason) }
        }
    }

    private func prune() throws(DatabaseError) {
        for identifier in try store.prune() { replied.insert(identifier) }
    }

    private func rearm() {
        timer?.cancel()
        timer = nil
        guard let deadline = machine.nextDeadline else { return }
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + (deadline - .now).inSeconds)
        source.setEventHandler { [weak self] in self?.transmit() }
        source.resume()
        timer = source
    }
}
