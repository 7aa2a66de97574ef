import CrashPoints
public import EventLog
import Files
import Foundation
import LinkProtocol
import LinkTransport
import Locking
public import Metrics
public import RecordStorage

/// A receiver for a ``WatchSessionDelegate`` that stores the payloads, and settles each as a `ReceiverEngine` decides.
///
/// A round of messages is decoded on the delegate's queue. A few payloads are stored there as well, because their
/// senders wait and a change of threads would gain nothing. Many are stored on a separate queue while the next ones are
/// decoded. All payloads that wait when the database becomes free are stored in one transaction; each is replied to
/// after the commit.
public final class RecordReceiver: MessageReceiver, NotificationPosting, Sendable {
    private struct Arrival: Sendable {
        let package: MessagePackage
        /// Nil until it is decoded.
        let content: Result<PayloadContent, PayloadError>?
        let reply: PendingReply?
        let time = MonotonicTime.now
    }

    private struct Waiting {
        var payloads: [ArrivedPayload] = []
        /// True while a thread stores the waiting payloads until none are left.
        var isTaken = false
    }

    /// The largest round that is stored on the thread that decoded it. 8: the commit takes longer than the decoding.
    private static let fewPayloads = 8
    /// The number of decoded payloads that are handed over together. 32: a commit's fixed costs are small compared with
    /// them, and decoding, storing and replying run in parallel.
    private static let decodedTogether = 32

    let application: RecordApplication
    private let metrics: RecordMetrics
    let store: any RecordStore
    let logger: Logger
    private let usage: UsageRecorder
    private let queue = DispatchQueue(label: "watchlink.receiver")
    private let arrivals = Batch<Arrival>()
    private let waiting = Mutex(Waiting())
    private let engine = Mutex(ReceiverEngine())

    /// Creates a receiver that stores an application's payloads into `store`, and records them in `usage`.
    public init(
        of application: RecordApplication, store: any RecordStore, logger: Logger,
        usage: UsageRecorder = UsageRecorder(isOn: false)
    ) {
        self.application = application
        metrics = RecordMetrics.of(application.kind)
        self.usage = usage
        self.store = store
        self.logger = logger
    }

    /// Collects a message of the current round.
    public func received(_ package: MessagePackage, reply: PendingReply?) {
        received(package, nil, reply)
    }

    /// Collects a message whose content may be known.
    func received(_ package: MessagePackage, _ content: Result<PayloadContent, PayloadError>?, _ reply: PendingReply?) {
        _ = arrivals.add(Arrival(package: package, content: content, reply: reply))
    }

    /// Answers a message without an archive.
    public func refused(_ error: PayloadError, reply: PendingReply?) {
        reply?.send(
            RecordAcknowledgement(
                nil, .undecodable, message: application.kind.text(error), as: application.acknowledgements))
    }

    /// Decodes and stores the collected messages.
    public func roundEnded() {
        let arrived = arrivals.take()
        if arrived.count <= Self.fewPayloads {
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
        let payloads = arrived.compactMap(decode)
        return waiting.withLock { waiting in
            waiting.payloads += payloads
            defer { waiting.isTaken = waiting.isTaken || !payloads.isEmpty }
            return !waiting.isTaken && !payloads.isEmpty
        }
    }

    /// Stores and replies to everything that has arrived.
    public func finish() {
        _ = handOver(arrivals.take())
        queue.sync { storeWaiting() }
    }

    /// - Returns: Nil for a payload of another application, which is answered.
    private func decode(_ arrival: Arrival) -> ArrivedPayload? {
        let decoded = arrival.content ?? PayloadContent.of(arrival.package)
        if case .success(let content) = decoded, content.name != application.payloadName {
            refuse(arrival, named: content.name)
            return nil
        }
        let payload = ArrivedPayload(
            arrival.package, decoded, reply: arrival.reply, time: arrival.time, of: application,
            keepsFiles: store.keepsFiles)
        guard case .success(let content) = payload.content else { return payload }
        let record = content.record
        logger.log(
            application.events.received,
            [
                .package(record.key.identifier), .device(record.key.device), .status("Received"),
                .bytes(record.archive.count),
            ])
        application.crashPoints.decoded.pass()
        return payload
    }

    /// Answers a payload of an application that this host does not have: not for ever, as a newer version may have it.
    private func refuse(_ arrival: Arrival, named name: String?) {
        let reason =
            name.map { "this host has no application “\($0)”" } ?? "this host has no application without a name"
        logger.log(
            application.events.refused,
            [.status("Failed"), .reason(reason)] + (arrival.package.origin.map { [.device($0)] } ?? []))
        arrival.reply?.send(RecordAcknowledgement(nil, .unavailable, message: reason, as: application.acknowledgements))
    }

    // MARK: - On the queue

    private func storeWaiting() {
        while true {
            let payloads = waiting.withLock { waiting in
                let payloads = waiting.payloads
                waiting.payloads = []
                waiting.isTaken = !payloads.isEmpty
                return payloads
            }
            guard !payloads.isEmpty else { return }
            store(payloads)
        }
    }

    private func store(_ arrived: [ArrivedPayload]) {
        var round = ReceivingRound(arrived, of: application)
        let missing = missingFiles(of: arrived)
        let effects = engine.withLock { $0.arrived(arrived.map { $0.arrival(missing: missing) }) }
        // The replies are written first; observers, on another thread, are woken after that.
        postTogether {
            perform(effects, arrived, &round)
            PendingReply.send(round.answers) { application.crashPoints.replied.pass() }
            post(.messageStatusDidChange, objects: round.statuses)
        }
    }

    private func perform(_ effects: [ReceiverEngine.Effect], _ arrived: [ArrivedPayload], _ round: inout ReceivingRound)
    {
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
    private func store(_ places: [Int], of arrived: [ArrivedPayload]) -> [ReceiverEngine.Effect] {
        let time = Date()
        let contents = places.compactMap { place -> ArrivedPayload.Content? in
            guard case .success(let content) = arrived[place].content else { return nil }
            return content
        }
        let records = contents.map(\.record)
        do throws(StoreError) {
            let outcomes = try compared(store.insert(records, receivedAt: time), records)
            application.crashPoints.committed.pass()
            metrics.batch.observe(Double(places.count))
            let now = MonotonicTime.now
            for place in places { metrics.durableSeconds.observe(now.seconds(since: arrived[place].time)) }
            for content in contents where content.payload.warning(at: time) != nil {
                let key = content.record.key
                logger.log(application.events.aheadOfClock, [.package(key.identifier), .device(key.device)])
            }
            return engine.withLock { $0.stored(outcomes) }
        } catch {
            // The database has logged the error; the senders try again.
            return engine.withLock { $0.storingFailed() }
        }
    }

    /// Compares payloads with different bytes by their content: archivers may differ in some bytes.
    private func compared(_ outcomes: [InsertOutcome], _ records: [Record]) throws(StoreError) -> [InsertOutcome] {
        var outcomes = outcomes
        for (place, (record, outcome)) in zip(records, outcomes).enumerated() where outcome == .conflict {
            guard let known = try store.receivedArchive(record.key), application.isSame(known, record.archive) else {
                continue
            }
            outcomes[place] = .repeated
        }
        return outcomes
    }

    private func log(_ payload: ArrivedPayload, _ settlement: RecordSettlement) {
        let (identifier, events) = (payload.package.identifier, application.events)
        switch settlement {
        case .stored(let sequence):
            usage.record(application.usage.stored)
            logger.log(events.stored, [.package(identifier), .status("Replied"), .sequence(sequence)])
        case .fileMissing:
            logger.log(
                events.fileMissing,
                [.package(identifier), .status("Failed")]
                    + (payload.file.map { [.reason("SHA-256 \($0.hexadecimal)")] } ?? []))
        case .repeated: logger.log(events.repeated, [.package(identifier), .status("Replied")])
        case .conflict, .putOff:
            logger.log(
                settlement == .putOff ? events.putOff : events.refused,
                [.package(identifier), .status("Failed")]
                    + (settlement.message(application.kind).map { [.reason($0)] } ?? []))
        case .refused(let error):
            metrics.decodeErrors.add(1, settlement.verdict.rawValue)
            logger.log(
                events.refused,
                [.status("Failed"), .error(application.kind.text(error))]
                    + (payload.package.origin.map { [.device($0)] } ?? []))
        case .unavailable: break  // The database has logged the error.
        }
    }
}
