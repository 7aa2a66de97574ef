import CrashPoints
public import EventLog
public import Foundation
import LinkProtocol
import LinkTransport
import Locking
public import Metrics
public import RecordStorage
public import WatchConnectivity

/// The companion's outbox: payloads are durable before they are accepted, and sent in order until the host has replied.
///
/// It performs the effects of an `OutboxEngine`.
// Proof of `@unchecked Sendable`: all mutable state is used only in `alone`, by one thread at a time.
public final class Outbox: SessionCommands, DataProvider, @unchecked Sendable {
    /// A callback with the state of an entry, and the reason for a failure or a delay.
    public typealias EndHandler = @Sendable (OutboxEntry.State, String?) -> Void

    /// The session that sends the payloads.
    public let session: WCSession
    let application: RecordApplication
    let store: OutboxStore
    let logger: Logger
    /// For events of the session, whose threads must not wait for the disk.
    private let queue = DispatchQueue(label: "watchlink.outbox")
    private let access = ManualLock()
    private let ended = Batch<OutboxEngine.Try>()
    /// The number of messages whose answers are awaited. Those of an app that has ended are among them for ever; all answers are
    /// then settled on the queue.
    private let unanswered = SharedCount()
    /// The thread that sends a message.
    private let sender = ThreadScope()

    private var engine: OutboxEngine
    /// The attempts whose payloads wait for files; used only if payloads may have some.
    var line = AttemptLine()
    private var fileObserver: NotificationObserver?
    private var observations: [NSKeyValueObservation] = []
    private var timer: (deadline: MonotonicTime, source: any DispatchSourceTimer)?
    private var handlers: [Int: EndHandler] = [:]
    private var lastHandler = 0
    /// The calls of handlers, made when the state is free again: handlers may use the outbox.
    private var calls: [@Sendable () -> Void] = []
    private let usage: UsageRecorder
    /// The times of acceptance of payloads whose delivery is timed; empty unless usage is recorded.
    private var acceptedAt: [UUID: MonotonicTime] = [:]

    /// Creates an outbox; ``start(_:)`` begins sending.
    ///
    /// - Parameters:
    ///   - application: The application of the payloads.
    ///   - store: The database of the outbox.
    ///   - session: The session that sends the payloads.
    ///   - logger: The log.
    ///   - backoff: The delays between attempts.
    ///   - usage: Records finished payloads and delivery times.
    public init(
        of application: RecordApplication, store: OutboxStore, session: WCSession, logger: Logger,
        backoff: Backoff = .delivery,
        usage: UsageRecorder = UsageRecorder(isOn: false)
    ) {
        self.application = application
        self.usage = usage
        self.store = store
        self.session = session
        self.logger = logger
        engine = OutboxEngine(
            of: application.kind, backoff: backoff, random: SeededGenerator(seed: .random(in: .min ... .max)))
    }

    /// Starts sending the entries of earlier runs as soon as the host is reachable.
    ///
    /// - Parameter onOpened: Called when the database is open, or when it could not be opened and will be tried again.
    public func start(_ onOpened: @escaping @Sendable () -> Void = {}) {
        observations = [
            session.observe(\.isReachable) { [weak self] session, _ in
                self?.reachabilityChanged(session.isReachable)
            },
            session.observe(\.activationState) { [weak self] session, _ in
                if session.activationState == .activated { self?.activated(isReachable: session.isReachable) }
            },
        ]
        if application.hasFiles { fileObserver = observeFiles() }
        queue.async { [self] in
            alone {
                perform(engine.reachabilityChanged(session.isReachable, at: .now))
                if engine.opens() { perform([.open]) }
            }
            onOpened()
        }
    }

    /// Accepts validated payloads of the application's type. When this returns they are durable and will be delivered.
    ///
    /// - Throws: `StoreError` if nothing was accepted; `ArchiveError` for a payload that
    ///   cannot be archived; ``PayloadError`` for one that is too large to be sent, or of another type.
    public func submit<Payload: RecordPayload>(_ payloads: [Payload]) throws -> [AcceptOutcome] {
        let payloads: [any RecordPayload] = payloads
        return try submit(payloads)
    }

    /// - Parameter contents: The contents of the payloads' files, by their SHA-256.
    package func submit(
        _ payloads: [any RecordPayload], contents: [Data: Data] = [:]
    ) throws -> [AcceptOutcome] {
        let files = try files(of: payloads, contents)
        let entries = try payloads.map { (identifier: $0.identifier, archive: try application.archived($0)) }
        var archives: [UUID: Data] = [:]
        let limit = messageLimit
        for entry in entries {
            // A payload that could never be sent must not be accepted.
            let payload = try payload(
                around: entry.archive, after: entry.identifier, name: application.payloadName)
            guard OutboxEngine.hasRoom(payloadBytes: payload.count, limit: limit, after: entry.identifier) else {
                throw PayloadError.invalid(
                    field: "\(application.kind.name) \(entry.identifier)",
                    reason: "needs \(payload.count) bytes; the limit is \(limit) (payloads.message)")
            }
            archives[entry.identifier] = entry.archive
        }
        return try alone {
            try openIfNeeded()
            try keep(files, contents)
            let outcomes = try store.accept(entries, withFiles: files, at: Date())
            application.crashPoints.accepted.pass()
            var accepted: [OutboxStateMachine.Entry] = []
            for (entry, outcome) in zip(entries, outcomes) {
                guard case .accepted(let position) = outcome else { continue }
                logger.log(application.events.accepted, [.package(entry.identifier), .bytes(entry.archive.count)])
                usage.record(application.usage.finished)
                if usage.isOn { acceptedAt[entry.identifier] = .now }
                accepted.append(OutboxEngine.Entry(identifier: entry.identifier, position: position))
            }
            perform(engine.accepted(accepted, at: .now), archives)
            // What was accepted before may be delivered, and need its file no more.
            if !files.isEmpty, accepted.count < entries.count { removeUnusedFiles() }
            return outcomes
        }
    }

    /// The largest message of the session, which both devices have configured.
    private var messageLimit: Int { session.simulator.configuration?.payloads.message ?? LinkLimits.messageBytes }

    /// Calls the handler when an entry is settled; immediately if it is settled already or does not exist.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the payload.
    ///   - patience: The time-out, after which the handler gets “pending” and the reason for the delay; nil for none.
    ///   - handler: Called once, on any thread. It may use the outbox.
    public func whenSettled(
        _ identifier: UUID, within patience: Duration? = nil, _ handler: @escaping EndHandler
    ) {
        let deadline: MonotonicTime? = patience.map { .now + $0 }
        // Nearly always the payload was just accepted, and nothing need be looked up.
        if access.tryLock() {
            defer { leave() }
            if engine.isUnderWay(identifier) { return ask(about: identifier, listed: nil, deadline, handler) }
        }
        later { [self] in
            do {
                let entry = engine.isUnderWay(identifier) ? nil : try store.entry(identifier)
                ask(about: identifier, listed: entry, deadline, handler)
            } catch {
                calls.append { handler(.pending, "\(error)") }
            }
        }
    }

    /// Sends failed payloads again, after all pending ones.
    ///
    /// - Parameter identifiers: The payloads to send again; nil for all failed ones.
    /// - Returns: Those that had failed.
    /// - Throws: `StoreError` if the database could not be used; nothing is changed then.
    public func retry(_ identifiers: [UUID]?) throws(StoreError) -> [UUID] {
        try alone { () throws(StoreError) in
            try openIfNeeded()
            let retried = try store.retry(identifiers)
            perform(
                engine.accepted(
                    retried.map { OutboxEngine.Entry(identifier: $0.identifier, position: $0.position) }, at: .now))
            return retried.map(\.identifier)
        }
    }

    /// The reason why pending payloads are not delivered; nil if none are pending, or if no obstacle is known.
    public var waitingReason: String? { alone { currentReason } }

    private var currentReason: String? { engine.waitingReason(obstacle: session.obstacle?.description) }

    /// Records the known outcomes, and closes the database.
    public func finish() {
        alone {
            settle()
            store.close()
        }
    }

    /// Returns the number of entries by state. Throws `StoreError`.
    public func counts() throws(StoreError) -> [OutboxEntry.State: Int] { try store.counts() }

    /// Returns the latest permanently rejected payloads, the newest first. Throws `StoreError`.
    public func failed(limit: Int) throws(StoreError) -> [OutboxEntry] { try store.entries(.failed, limit: limit) }

    // MARK: - With the state

    /// Runs the body with the state to itself, and then calls the handlers that it has to call. Nothing in the body may call it
    /// again.
    private func alone<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        access.lock()
        defer { leave() }
        return try body()
    }

    private func leave() {
        let calls = calls
        self.calls = []
        access.unlock()
        for call in calls { call() }
    }

    /// Runs the body later, with the state to itself.
    func later(_ body: @escaping @Sendable () -> Void) { queue.async { [self] in alone(body) } }

    private func ask(
        about identifier: UUID, listed entry: OutboxEntry?, _ deadline: MonotonicTime?, _ handler: @escaping EndHandler
    ) {
        lastHandler += 1
        handlers[lastHandler] = handler
        perform(
            engine.asked(
                lastHandler, about: identifier, listed: entry.map { ($0.state, $0.reason) }, until: deadline))
    }

    private func call(_ number: Int, _ state: OutboxEntry.State, _ reason: String?) {
        guard let handler = handlers.removeValue(forKey: number) else { return }
        calls.append { handler(state, reason) }
    }

    /// - Parameter archives: The available archives: those of payloads that were just accepted.
    func perform(_ effects: [OutboxEffect], _ archives: [UUID: Data] = [:]) {
        for effect in effects {
            switch effect {
            case .open: openOrTryLater()
            case .transmit(let payload, let attempt, let predecessor):
                if application.hasFiles {
                    begin(payload, attempt, after: predecessor, archives)
                } else {
                    send(payload, attempt, after: predecessor, archives[payload])
                }
            case .record(let ends): record(ends)
            case .prune: prune()
            case .tell(let number, let state, let reason): call(number, state, reason)
            case .tellPending(let number): call(number, .pending, currentReason)
            case .replied(let payload, _):
                timeDelivery(of: payload)
                logger.log(effect, application.events)
            case .gaveUp(let payload, _, _):
                acceptedAt[payload] = nil
                logger.log(effect, application.events)
            case .opened, .retries, .replyWasMistaken, .replyWasUnreadable: logger.log(effect, application.events)
            }
        }
        setTimer()
    }

    private func openIfNeeded() throws(StoreError) { if engine.opens() { try open() } }

    private func open() throws(StoreError) {
        let (pending, forgotten): ([(identifier: UUID, position: Int64)], [UUID])
        do {
            (pending, forgotten) = (try store.pending(), try store.prune())
        } catch {
            engine.openingFailed("\(error)", at: .now)
            setTimer()
            throw error
        }
        let entries = pending.map { OutboxEngine.Entry(identifier: $0.identifier, position: $0.position) }
        removeUnusedFiles()
        perform(engine.opened(entries, forgotten: forgotten, at: .now))
    }

    private func openOrTryLater() {
        do {
            try open()
        } catch {
            // The database has logged the error, and the engine knows it.
        }
    }

    func send(_ identifier: UUID, _ attempt: Int, after predecessor: UUID?, _ known: Data?) {
        do {
            guard let archive = try known ?? store.archive(identifier) else { return end(identifier, .gone) }
            let payload = try payload(around: archive, after: predecessor, name: application.payloadName)
            guard OutboxEngine.hasRoom(payloadBytes: payload.count, limit: messageLimit, after: predecessor) else {
                return end(identifier, .lacksRoom)
            }
            logger.log(application.events.sent, [.package(identifier), .status("Sent"), .attempt(attempt)])
            let form = application.acknowledgements
            unanswered.add(1)
            sender.run {
                sendMessageData(payload, identifier: identifier) { [weak self] package in
                    self?.answered(identifier, AttemptResult(of: package, with: archive, as: form))
                }
            }
        } catch {
            end(identifier, .unread(error: "\(error)"))
        }
    }

    /// Reports the end of an attempt whose message was sent, on the session's thread. The last one is settled there: as no
    /// other answer is awaited, a change of threads would gain nothing.
    private func answered(_ payload: UUID, _ ending: AttemptResult) {
        guard unanswered.add(-1) == 0, !sender.isInside else { return end(payload, ending) }
        _ = ended.add(OutboxEngine.Try(payload, ending))
        alone { settle() }
    }

    /// Reports the end of an attempt, from any thread.
    func end(_ payload: UUID, _ ending: AttemptResult) {
        if ended.add(OutboxEngine.Try(payload, ending)) { later { self.settle() } }
    }

    private func settle() {
        CrashPoint.acknowledgementReceived.pass()
        let tries = ended.take()
        for attempt in tries where application.hasFiles { line.ended(attempt) }
        perform(engine.ended(tries, at: .now))
    }

    private func record(_ ends: [OutboxEngine.End]) {
        do {
            try store.settle(ends.map { ($0.position, $0.state, $0.reason) }, at: Date())
        } catch {
            // The database has logged the error.
            return engine.recordingFailed(at: .now)
        }
        CrashPoint.endRecorded.pass()
        if application.hasFiles, ends.contains(where: { $0.state == .replied }) { removeUnusedFiles() }
        perform(engine.recorded(at: .now))
    }

    private func prune() {
        do {
            engine.pruned(try store.prune())
        } catch {
            // The database has logged the error; the engine will request it again after the next outcomes.
        }
    }

    private func timeDelivery(of payload: UUID) {
        guard let start = acceptedAt.removeValue(forKey: payload) else { return }
        usage.record(.delivery, seconds: (MonotonicTime.now - start).inSeconds)
    }

    private func reachabilityChanged(_ isReachable: Bool) {
        later { [self] in
            if isReachable { resumeFile() }
            perform(engine.reachabilityChanged(isReachable, at: .now))
        }
    }

    private func activated(isReachable: Bool) {
        later { [self] in
            line.interrupted()
            perform(engine.activated(isReachable: isReachable, at: .now))
        }
    }

    /// Sets the timer for the next deadline. A timer that fires too early, for a postponed deadline, has nothing to do
    /// and is set again.
    private func setTimer() {
        guard let deadline = engine.nextDeadline, timer.map({ deadline < $0.deadline }) ?? true else { return }
        timer?.source.cancel()
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + (deadline - .now).inSeconds)
        source.setEventHandler { [weak self] in self?.alone { self?.timerFired() } }
        source.resume()
        timer = (deadline, source)
    }

    private func timerFired() {
        timer?.source.cancel()
        timer = nil
        perform(engine.deadlinePassed(at: .now))
    }
}
