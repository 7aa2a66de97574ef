import EventLog
import Foundation
import LinkProtocol
import RecordStorage
import TestSupport
import Testing
import WatchConnectivity

@testable import RecordSync

/// A phone that stores the payloads of some applications, and a watch with an outbox for each, in the test's process.
private final class ApplicationLink {
    let scratch: Scratch
    let log = Collector<LogRecord>()
    private let phone, watch: WCSession
    private let receivers: ApplicationReceivers
    private let delegate: WatchSessionDelegate
    private let watchDelegate = WatchSessionDelegate()
    private var outboxes: [Outbox] = []

    /// - Parameters:
    ///   - applications: Those of the phone.
    ///   - lostFiles: The number of files that the phone's store does not keep at first.
    init(_ applications: [RecordApplication], lostFiles: Int = 0) throws {
        let scratch = try Scratch()
        self.scratch = scratch
        func session(_ role: DeviceRole) -> WCSession {
            var configuration = DeviceConfiguration(
                device: Device(identifier: UUID(), role: role, name: role.rawValue), socketPath: scratch.path("link"),
                stateDirectory: scratch.path(role.rawValue))
            configuration.companions.serving = .all
            configuration.reconnect = Backoff(initial: .milliseconds(5), maximum: .milliseconds(20))
            return WCSession(configuration: configuration)
        }
        (phone, watch) = (session(.host), session(.companion))
        let log = log
        let logger = Logger(service: "test", minimumLevel: .debug) { log.add($0) }
        receivers = ApplicationReceivers(
            try applications.map {
                RecordReceiver(
                    of: $0,
                    store: LosingStore(
                        try SQLiteRecordStore(kind: $0.kind, path: scratch.path($0.kind.plural)), losing: lostFiles),
                    logger: logger)
            })
        delegate = WatchSessionDelegate(receiver: receivers)
        phone.delegate = delegate
        watch.delegate = watchDelegate
        phone.activate()
        watch.activate()
    }

    func store(_ application: RecordApplication) throws -> SQLiteRecordStore {
        try SQLiteRecordStore(kind: application.kind, path: scratch.path(application.kind.plural))
    }

    func outbox(_ application: RecordApplication) -> Outbox {
        let log = log
        let logger = Logger(service: "test", minimumLevel: .debug) { log.add($0) }
        let outbox = Outbox(
            of: application,
            store: OutboxStore(
                path: scratch.path("outbox of \(application.kind.plural)"), logger: logger,
                keepsFiles: application.hasFiles),
            session: watch, logger: logger, backoff: Backoff(initial: .milliseconds(5), maximum: .milliseconds(20)))
        outbox.start()
        outboxes.append(outbox)
        return outbox
    }

    /// Ends both devices.
    func end() {
        for outbox in outboxes { outbox.finish() }
        let ended = Collector<Bool>()
        watch.shutDown("test") { ended.add(true) }
        phone.shutDown("test") { ended.add(true) }
        ended.expect { $0.count == 2 }
        receivers.finish()
    }
}

@Suite("Deliveries of several applications", .serialized)
struct ApplicationDeliveryTests {
    private let steps: RecordApplication
    private let orders: RecordApplication

    init() throws { (steps, orders) = (try RecordApplication(Step.self), try RecordApplication(Order.self)) }

    /// The answer about a payload: its state and the reason.
    private func settled(_ identifier: UUID, in outbox: Outbox) -> (OutboxEntry.State, String?)? {
        let answers = Collector<(OutboxEntry.State, String?)>()
        outbox.whenSettled(identifier) { answers.add(($0, $1)) }
        answers.expect { !$0.isEmpty }
        return answers.all.first
    }

    @Test("Payloads of two applications in one session are stored, each in its own table and exactly once")
    func both() throws {
        let link = try ApplicationLink([steps, orders])
        let (walks, purchases) = (link.outbox(steps), link.outbox(orders))
        let (made, ordered) = ((0..<20).map { Step(count: $0 + 1) }, (0..<20).map { _ in Order() })
        for (step, order) in zip(made, ordered) {
            _ = try walks.submit([step])
            _ = try purchases.submit([order])
        }
        for (step, order) in zip(made, ordered) {
            #expect(settled(step.identifier, in: walks)?.0 == .replied)
            #expect(settled(order.identifier, in: purchases)?.0 == .replied)
        }
        let again = try walks.submit([made[3]])
        #expect(again == [.repeated(.replied, reason: nil)])
        let counts = try link.store(steps).records(after: .start, limit: 99).map(\.record.values.first)
        #expect(counts == made.map { .integer(Int64($0.count)) }, "in the order of acceptance")
        let keys = try link.store(orders).records(after: .start, limit: 99).map(\.record.key.identifier)
        #expect(keys == ordered.map(\.identifier))
        let events = Set(link.log.all.map(\.event.text))
        #expect(events.isSuperset(of: ["step stored", "order stored", "step replied", "order replied"]), "\(events)")
        link.end()
    }

    @Test("An invalid payload is refused for ever with its reason; one ahead of the clock is stored with a warning")
    func validity() throws {
        let link = try ApplicationLink([steps])
        let outbox = link.outbox(steps)
        let (invalid, ahead) = (Step(count: 0), Step(endedAt: .distantFuture))
        // The watch's own check is the service's part.
        _ = try outbox.submit([invalid, ahead])
        let refusal = try #require(settled(invalid.identifier, in: outbox))
        #expect(refusal.0 == .failed)
        #expect(refusal.1 == "count: is not positive")
        #expect(settled(ahead.identifier, in: outbox)?.0 == .replied)
        let events = link.log.all.map(\.event.text)
        #expect(events.contains("step ahead of clock"), "\(events)")
        let rows = try link.store(steps).records(after: .start, limit: 9)
        #expect(rows.map(\.record.key.identifier) == [ahead.identifier])
        #expect(rows.map(steps.isAheadOfClock) == [true])
        link.end()
    }

    @Test("A host without the application leaves its payloads pending, and stores those of others")
    func missingApplication() throws {
        let link = try ApplicationLink([steps])
        let (walks, purchases) = (link.outbox(steps), link.outbox(orders))
        let (step, order) = (Step(), Order())
        _ = try purchases.submit([order])
        link.log.expect { $0.contains { $0.event.text == "order retry scheduled" } }
        _ = try walks.submit([step])
        #expect(settled(step.identifier, in: walks)?.0 == .replied)
        let counts = try purchases.counts()
        #expect(counts == [.pending: 1])
        let reason = purchases.waitingReason
        #expect(reason == "this host has no application “order”")
        link.end()
    }

    @Test("A payload of another type is not accepted")
    func otherType() throws {
        let link = try ApplicationLink([steps])
        let outbox = link.outbox(steps)
        let error = #expect(throws: PayloadError.self) { try outbox.submit([Order()]) }
        #expect(error == .undecodable("it is not a step but of the type Order"))
        let counts = try outbox.counts()
        #expect(counts == [:])
        link.end()
    }

    // MARK: - Files

    private func track(_ link: ApplicationLink, _ number: Int) throws -> (url: URL, content: Data) {
        let content = Data("track \(number)".utf8)
        let url = URL(filePath: link.scratch.path("track \(number).gpx"))
        try content.write(to: url)
        return (url, content)
    }

    @Test("Files are delivered with their payloads, in order, and leave the outbox; a lost one is sent again")
    func files() throws {
        let trips = try RecordApplication(Trip.self)
        let link = try ApplicationLink([trips], lostFiles: 2)
        let outbox = link.outbox(trips)
        var made: [(trip: Trip, content: Data?)] = []
        for number in 0..<8 {
            let trip = Trip()
            if number.isMultiple(of: 3) {
                _ = try outbox.submit([trip])
                made.append((trip, nil))
            } else {
                let (url, content) = try track(link, number)
                #expect(try outbox.submit(trip, file: url) == .accepted(position: Int64(number + 1)))
                // The outbox has its own copy.
                try FileManager.default.removeItem(at: url)
                made.append((trip, content))
            }
        }
        for (trip, _) in made { #expect(settled(trip.identifier, in: outbox)?.0 == .replied) }
        let store = try link.store(trips)
        let rows = try store.records(after: .start, limit: 99)
        #expect(rows.map(\.record.key.identifier) == made.map(\.trip.identifier))
        let contents = try rows.map { row in try row.record.file.flatMap { try store.content(of: $0) } }
        #expect(contents == made.map(\.content))
        let texts = link.log.all.map(\.event.text)
        #expect(texts.count { $0 == "trip file refused" } == 2, "\(texts)")
        #expect(texts.count { $0 == "trip file missing" } == 2, "\(texts)")
        let left = try FileManager.default.contentsOfDirectory(atPath: link.scratch.path("outbox of trips-files"))
        #expect(left == [])
        link.end()
    }

    @Test("A described file that was not given, another one, and one for a payload without files are refused")
    func wrongFiles() throws {
        let trips = try RecordApplication(Trip.self)
        let link = try ApplicationLink([trips, steps])
        let (outbox, walks) = (link.outbox(trips), link.outbox(steps))
        let (url, content) = try track(link, 1)
        let described = Trip(track: PayloadFile(name: "other.gpx", content: content + content))
        #expect(throws: PayloadError.self) { try outbox.submit([described]) }
        #expect(throws: PayloadError.self) { try outbox.submit(described, file: url) }
        #expect(throws: PayloadError.self) { try walks.submit(Step(), file: url) }
        #expect(try outbox.counts().isEmpty)
        link.end()
    }

    @Test("A file that was lost in the outbox fails its payload with what to do, and a later submission mends it")
    func lostInOutbox() throws {
        let trips = try RecordApplication(Trip.self)
        let link = try ApplicationLink([trips])
        let (url, content) = try track(link, 1)
        let trip = Trip()
        let path = link.scratch.path("outbox of trips")
        let description = PayloadFile(name: "track 1.gpx", content: content)
        let accepting = OutboxStore(path: path, keepsFiles: true)
        let archive = try Trip(trip.identifier, track: description).archived()
        _ = try accepting.accept(
            [(trip.identifier, archive)], withFiles: [trip.identifier: description.digest], at: Date())
        accepting.close()
        let outbox = link.outbox(trips)
        let failed = settled(trip.identifier, in: outbox)
        #expect(failed?.0 == .failed)
        #expect(failed?.1?.contains("submit it again with the file") == true, "\(failed?.1 ?? "nil")")
        _ = try outbox.submit(trip, file: url)
        #expect(try outbox.retry(nil) == [trip.identifier])
        #expect(settled(trip.identifier, in: outbox)?.0 == .replied)
        #expect(try link.store(trips).content(of: description.digest) == content)
        link.end()
    }
}
