import Dispatch
import EventLog
import Foundation
import KeyedArchive
import Locking
import RecordStorage
import Storage
import TestSupport
import Testing
import WatchConnectivity
import WatchKit

@testable import QuizSync
@testable import RecordSync

/// A quiz whose archiver writes additional keys.
private final class AnnotatedQuiz: NSObject, NSSecureCoding, ArchiveNaming {
    static let archiveName = QuizData.archiveName
    static let supportsSecureCoding = true
    private let quiz: QuizData

    init(_ quiz: QuizData) { self.quiz = quiz }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        quiz.encode(with: coder)
        coder.encode("by another program", forKey: "note")
    }
}

/// A store that can be made to fail.
private final class FailingStore: RecordStore {
    let store: SQLiteRecordStore
    let unavailable: SQLiteRecordStore
    let isFailing = Mutex(false)
    /// Called before each insertion.
    let beforeInsertion = Mutex<(@Sendable () -> Void)?>(nil)

    init(path: String) throws {
        store = try SQLiteRecordStore(kind: .quizzes, path: path)
        unavailable = try SQLiteRecordStore(kind: .quizzes, path: "/nonexistent/database.sqlite")
    }

    private var current: SQLiteRecordStore { isFailing.withLock { $0 } ? unavailable : store }

    var kind: RecordKind { store.kind }

    func receivedArchive(_ key: RecordKey) throws(StoreError) -> Data? { try current.receivedArchive(key) }

    func insert(_ arrivals: [RecordArrival]) throws(StoreError) -> [InsertOutcome] {
        let hook = beforeInsertion.withLock { $0 }
        hook?()
        return try current.insert(arrivals)
    }

    func delete(_ deletions: [RecordDeletion]) throws(StoreError) -> Int { try current.delete(deletions) }

    func deletions(after key: RecordKey?, limit: Int) throws(StoreError) -> [RecordDeletion] {
        try current.deletions(after: key, limit: limit)
    }

    func states(of keys: [RecordKey]) throws(StoreError) -> [RecordState] { try current.states(of: keys) }

    func update(_ record: Record, updatedAt: Date) throws(StoreError) -> Bool {
        try current.update(record, updatedAt: updatedAt)
    }
    func delete(_ key: RecordKey, deletedAt: Date) throws(StoreError) -> Bool {
        try current.delete(key, deletedAt: deletedAt)
    }
    func expire(receivedBefore time: Date?, keeping count: Int?, limit: Int) throws(StoreError) -> [RecordKey] {
        try current.expire(receivedBefore: time, keeping: count, limit: limit)
    }

    func records(identifier: UUID) throws(StoreError) -> [StoredRecord] { try current.records(identifier: identifier) }
    func records(after cursor: RecordCursor, limit: Int) throws(StoreError) -> [StoredRecord] {
        try current.records(after: cursor, limit: limit)
    }
    func latestRecords(limit: Int) throws(StoreError) -> [StoredRecord] { try current.latestRecords(limit: limit) }
    func count() throws(StoreError) -> Int { try current.count() }
    func ages(before time: Date) throws(StoreError) -> RecordAges { try current.ages(before: time) }
    func look() throws(StoreError) { try current.look() }
    func close() { current.close() }
}

/// Serialised: notifications are global to the process, and observers of other tests would get them.
@Suite("Application", .serialized)
final class ApplicationTests: DataProvider, NotificationPosting {
    private let scratch: Scratch
    private let store: FailingStore
    private let observed: ObservedQuizStore
    private let receiver: QuizReceiver
    private let log: Collector<LogRecord>

    init() throws {
        scratch = try Scratch()
        let log = Collector<LogRecord>()
        self.log = log
        store = try FailingStore(path: scratch.path("db.sqlite"))
        observed = ObservedQuizStore(store)
        receiver = QuizReceiver(store: observed, logger: Logger(service: "test", minimumLevel: .debug) { log.add($0) })
    }

    /// Passes a payload as the delegate does, and collects the answer.
    private func receive(_ payload: Data, device: UUID = UUID()) -> Collector<QuizAcknowledgement> {
        let answers = arrive(payload, device)
        receiver.roundEnded()
        return answers
    }

    /// Passes a payload without ending the round: the next one is stored in the same transaction.
    private func arrive(_ payload: Data, _ device: UUID) -> Collector<QuizAcknowledgement> {
        let answers = Collector<QuizAcknowledgement>()
        let package = MessagePackage(
            identifier: UUID(), command: .sendMessageData, status: .received, dataPackage: payload, wantsReply: true,
            timestamp: Date(), origin: device)
        let reply = PendingReply { answers.add($0) }
        receiver.received(package, reply: reply)
        return answers
    }

    /// Runs after all observers: notifications are posted on the main queue in order.
    private func areObserversTold() -> Bool {
        let done = Collector<Bool>()
        DispatchQueue.main.async { done.add(true) }
        return done.expect { !$0.isEmpty }
    }

    @Test("A quiz is answered as stored when it is in the database")
    func stored() throws {
        let quiz = makeQuiz(takenAt: Date())
        let device = UUID()
        let answers = receive(try payload(of: quiz), device: device)
        answers.expect { $0.map(\.verdict) == [.stored] }
        #expect(answers.all.first?.identifier == quiz.identifier)
        let archive = try quiz.archivedData()
        #expect(answers.all.first?.answers(quiz.identifier, archive: archive) == true)
        let row = try #require(
            try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite")).records(identifier: quiz.identifier)
                .first)
        #expect(row.record.key.device == device)
        let stored = try EncodedData(row.record.archive).quizData
        #expect(stored == quiz)
        receive(try payload(of: quiz), device: device).expect { $0.map(\.verdict) == [.repeated] }
    }

    @Test("Data that is not a quiz, or is invalid or conflicting, is refused permanently, with the reason")
    func refused() throws {
        receive(Data([1])).expect { $0.map(\.verdict) == [.undecodable] }
        let invalid = receive(try payload(of: makeQuiz(title: " ", takenAt: Date())))
        invalid.expect { $0.map(\.verdict) == [.invalid] }
        #expect(invalid.all.first?.message?.contains("title") == true)
        let (identifier, device) = (UUID(), UUID())
        let first = receive(try payload(of: makeQuiz(identifier, takenAt: Date())), device: device)
        first.expect { $0.map(\.verdict) == [.stored] }
        let other = receive(try payload(of: makeQuiz(identifier, title: "other", takenAt: Date())), device: device)
        other.expect { $0.map(\.verdict) == [.conflict] }
        let rows = try observed.count()
        #expect(rows == 1)
    }

    @Test("A repeat with other bytes is a repeat")
    func otherBytes() throws {
        let quiz = makeQuiz(takenAt: Date())
        let device = UUID()
        let first = receive(try payload(of: quiz), device: device)
        first.expect { $0.map(\.verdict) == [.stored] }
        let annotated = AnnotatedQuiz(quiz)
        let annotatedBytes = try archivedData(of: annotated)
        let bytes = try quiz.archivedData()
        #expect(annotatedBytes != bytes)
        receive(try payload(of: annotated), device: device).expect { $0.map(\.verdict) == [.repeated] }
    }

    @Test(
        "Quizzes sent after one that failed to be stored are not stored before it, even when the database is back"
    )
    func unavailable() throws {
        let device = UUID()
        let quizzes = (0..<4).map { makeQuiz(title: "\($0)", takenAt: Date()) }
        func payload(_ index: Int, after predecessor: Int? = nil) throws -> Data {
            try self.payload(
                around: quizzes[index].archivedData(), after: predecessor.map { quizzes[$0].identifier })
        }
        receive(try payload(0), device: device).expect { $0.map(\.verdict) == [.stored] }
        store.isFailing.withLock { $0 = true }
        receive(try payload(1, after: 0), device: device).expect { $0.map(\.verdict) == [.unavailable] }
        store.isFailing.withLock { $0 = false }
        // The database would accept them now.
        let late = [arrive(try payload(2, after: 1), device), arrive(try payload(3, after: 2), device)]
        receiver.roundEnded()
        for answers in late { answers.expect { $0.map(\.verdict) == [.unavailable] } }
        #expect(log.all.count { $0.event == .quizPutOff } == 2)
        // The device starts over with the first open one. Quizzes of other devices are not affected.
        receive(try self.payload(of: makeQuiz(title: "other", takenAt: Date()))).expect {
            $0.map(\.verdict) == [.stored]
        }
        let again = [
            arrive(try payload(1), device), arrive(try payload(2, after: 1), device),
            arrive(try payload(3, after: 2), device),
        ]
        receiver.roundEnded()
        for answers in again { answers.expect { $0.map(\.verdict) == [.stored] } }
        let titles = try observed.records(after: .start, limit: 10).map(\.record.title)
        #expect(titles == ["0", "other", "1", "2", "3"])
    }

    @Test("The senders of a small round are answered before the round's end returns", arguments: [1, 7, 8])
    func smallRound(_ count: Int) throws {
        let replies = try (0..<count).map {
            arrive(try payload(of: makeQuiz(title: "\($0)", takenAt: Date())), UUID())
        }
        receiver.roundEnded()
        let verdicts = replies.map { $0.all.map(\.verdict) }
        #expect(verdicts == Array(repeating: [QuizVerdict.stored], count: count))
        let titles = try observed.records(after: .start, limit: 100).map(\.record.title)
        #expect(titles == (0..<count).map { "\($0)" })
    }

    @Test("The end of a large round returns while the database is busy", arguments: [9, 33])
    func largeRound(_ count: Int) throws {
        let returned = DispatchSemaphore(value: 0)
        let waits = Collector<Bool>()
        let hook: @Sendable () -> Void = { waits.add(returned.wait(timeout: .now() + 5) == .success) }
        store.beforeInsertion.withLock { $0 = hook }
        let replies = try (0..<count).map {
            arrive(try payload(of: makeQuiz(title: "\($0)", takenAt: Date())), UUID())
        }
        receiver.roundEnded()
        for _ in 0..<count { returned.signal() }
        for answers in replies { answers.expect { $0.map(\.verdict) == [.stored] } }
        #expect(waits.all.filter { !$0 } == [])
    }

    @Test(
        "All quizzes of a large round are stored, in their order, and each is answered once",
        arguments: [9, 31, 32, 33, 64, 65])
    func orderOfLargeRound(_ count: Int) throws {
        let device = UUID()
        let quizzes = (0..<count).map { makeQuiz(title: "\($0)", takenAt: Date()) }
        let replies = try quizzes.indices.map { index in
            let predecessor = index > 0 ? quizzes[index - 1].identifier : nil
            return arrive(try payload(around: quizzes[index].archivedData(), after: predecessor), device)
        }
        receiver.roundEnded()
        receiver.finish()
        let verdicts = replies.map { $0.all.map(\.verdict) }
        #expect(verdicts == Array(repeating: [QuizVerdict.stored], count: count))
        let titles = try observed.records(after: .start, limit: 100).map(\.record.title)
        #expect(titles == (0..<count).map { "\($0)" })
    }

    @Test("The end of the app stores and answers a round that has not ended, and needs none")
    func finish() throws {
        receiver.finish()
        let answers = arrive(try payload(of: makeQuiz(takenAt: Date())), UUID())
        #expect(answers.all.map(\.verdict) == [])
        receiver.finish()
        #expect(answers.all.map(\.verdict) == [.stored])
        receiver.roundEnded()
        #expect(answers.all.map(\.verdict) == [.stored])
    }

    @Test("Each result of a quiz has its event in the log")
    func events() throws {
        let (identifier, device) = (UUID(), UUID())
        let payloads = [
            try payload(of: makeQuiz(identifier)), try payload(of: makeQuiz(identifier)),
            try payload(of: makeQuiz(identifier, title: "other")), try payload(of: makeQuiz(title: " ")), Data([1]),
            try payload(around: makeQuiz().archivedData(), after: UUID()),
        ]
        for payload in payloads { _ = receive(payload, device: device) }
        store.isFailing.withLock { $0 = true }
        _ = receive(try payload(of: makeQuiz()), device: device)
        let events = log.all.map(\.event)
        #expect(
            events == [
                .quizReceived, .quizStored, .quizReceived, .quizRepeated, .quizReceived, .quizRefused, .quizRefused,
                .quizRefused, .quizReceived, .quizPutOff, .quizReceived,
            ])
    }

    @Test("A store reports only what changed")
    func changes() throws {
        let device = UUID()
        let quiz = try Record(makeQuiz(), device: device)
        let stranger = try Record(makeQuiz(), device: device)
        var versions: [Int] = []
        func note() { versions.append(observed.version.value) }
        note()
        _ = try observed.insert([quiz], receivedAt: Date())
        note()
        _ = try observed.insert([quiz], receivedAt: Date())
        _ = try observed.insert([], receivedAt: Date())
        _ = try observed.update(stranger, updatedAt: Date())
        _ = try observed.delete(RecordKey(stranger.identifier, device: device), deletedAt: Date())
        _ = try observed.expire(receivedBefore: nil, keeping: 1, limit: 10)
        note()
        _ = try observed.update(quiz, updatedAt: Date())
        note()
        _ = try observed.expire(receivedBefore: nil, keeping: 0, limit: 10)
        note()
        _ = try observed.insert([stranger], receivedAt: Date())
        _ = try observed.delete(RecordKey(stranger.identifier, device: device), deletedAt: Date())
        note()
        #expect(versions == [0, 1, 1, 2, 3, 5])
    }

    @Test("A quiz from the future of this host's clock is stored, and the clock difference is logged")
    func aheadOfClock() throws {
        let quiz = makeQuiz(takenAt: Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded()) + 400 * 86_400)
        receive(try payload(of: quiz)).expect { $0.map(\.verdict) == [.stored] }
        let takenAt = try observed.records(identifier: quiz.identifier).first?.record.takenAt
        #expect(takenAt == quiz.takenAt)
        #expect(log.all.map(\.event).contains(.quizAheadOfClock))
    }

    @Test("A missing reply is sent as unavailable")
    func dropped() {
        let answers = Collector<QuizAcknowledgement>()
        _ = PendingReply { answers.add($0) }
        #expect(answers.all.map(\.verdict) == [.unavailable])
    }

    @Test("Count and history are updated with every change")
    func observers() throws {
        let count = StoreObserver.count(of: observed)
        let history = StoreObserver.history(of: observed)
        let before = try count.value()
        #expect(before == 0)
        let device = UUID()
        let quizzes = try (0..<3).map { try Record(makeQuiz(title: "\($0)", takenAt: Date()), device: device) }
        _ = try observed.insert(quizzes, receivedAt: Date())
        let inserted = try count.value()
        #expect(inserted == 3)
        let titles = try history.value().map(\.record.title)
        #expect(titles == ["2", "1", "0"])
        _ = try observed.delete(RecordKey(quizzes[1].identifier, device: device), deletedAt: Date())
        let left = try count.value()
        #expect(left == 2)
        let titlesLeft = try history.value().map(\.record.title)
        #expect(titlesLeft == ["2", "0"])
        _ = try observed.update(
            try Record(makeQuiz(quizzes[0].identifier, title: "new", takenAt: Date()), device: device),
            updatedAt: Date())
        let titlesNow = try history.value().map(\.record.title)
        #expect(titlesNow == ["2", "new"])
        let rows = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("db.sqlite")).count()
        #expect(rows == 2)
    }

    @Test("The history of each message's status is kept")
    func history() {
        // Other tests of the process post to the default centre.
        let center = NotificationCenter()
        let history = MessageHistory(in: center)
        let sent = MessagePackage(identifier: UUID(), command: .sendMessageData, status: .sent, timestamp: Date())
        for package in [sent, sent.with(status: .failed, errorMessage: "away"), sent, sent.with(status: .replied)] {
            center.post(name: .messageStatusDidChange, object: package)
        }
        #expect(history.entries.map(\.statuses) == [[.sent, .failed, .sent, .replied]])
        #expect(history.entries.first?.errorMessage == nil)
        #expect(history.count(of: .sent) == 2)
    }

    @Test("A history keeps the first 64 statuses of each message, and the latest 1,000 messages")
    func longHistory() {
        let center = NotificationCenter()
        func message() -> MessagePackage {
            MessagePackage(identifier: UUID(), command: .sendMessageData, status: .sent, timestamp: Date())
        }
        let history = MessageHistory(in: center)
        let first = message()
        for _ in 0..<64 { center.post(name: .messageStatusDidChange, object: first) }
        center.post(name: .messageStatusDidChange, object: first.with(status: .failed, errorMessage: "away"))
        let others = (0..<MessageHistory.capacity - 1).map { _ in message() }
        for package in others { center.post(name: .messageStatusDidChange, object: package) }
        let full = history.entries
        #expect(full.map(\.identifier) == [first.identifier] + others.map(\.identifier))
        #expect(full.first?.statuses == Array(repeating: DeliveryStatus.sent, count: 64))
        #expect(full.first?.errorMessage == "away")
        let last = message()
        center.post(name: .messageStatusDidChange, object: last)
        let identifiers = history.entries.map(\.identifier)
        #expect(identifiers == (others + [last]).map(\.identifier))
    }

    @Test("Commands before the activation fail with the session's error")
    func notActivated() {
        struct Commands: SessionCommands {
            let session = WCSession(
                configuration: DeviceConfiguration(
                    device: Device(identifier: UUID(), role: .companion, name: "c"), socketPath: "/nonexistent"))
        }
        let ends = Collector<MessagePackage>()
        Commands().sendMessageData(Data([1])) { ends.add($0) }
        ends.expect { $0.map(\.status) == [.failed] }
        #expect(ends.all.first?.errorCode == WCError.Code.sessionNotActivated.rawValue)
    }

    @Test("Background tasks end when the session is activated and has nothing to deliver; then a snapshot is requested")
    func backgroundTasks() throws {
        final class Application: WKExtension, @unchecked Sendable {
            let dates = Collector<Date>()
            override func scheduleSnapshotRefresh(
                withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
                scheduledCompletion: @escaping ((any Error)?) -> Void
            ) { dates.add(preferredFireDate) }
        }
        let session = WCSession(
            configuration: DeviceConfiguration(
                device: Device(identifier: UUID(), role: .companion, name: "c"), socketPath: scratch.path("none.sock")))
        let (completed, application) = (Collector<Bool>(), Application())
        let tasks = BackgroundTasks(session: session, application: application, logger: .silent)
        tasks.handle([WKWatchConnectivityRefreshBackgroundTask { completed.add(true) }])
        #expect(completed.all.isEmpty)
        let delegate = WatchSessionDelegate()
        session.delegate = delegate
        session.activate()
        completed.expect { $0 == [true] }
        application.dates.expect { $0.count == 1 }
        withExtendedLifetime((tasks, delegate)) {}
    }

    @Test("The outbox refuses quizzes that can never be sent before it accepts them")
    func tooLarge() throws {
        let session = WCSession(
            configuration: DeviceConfiguration(
                device: Device(identifier: UUID(), role: .companion, name: "c"), socketPath: scratch.path("none.sock")))
        let outbox = Outbox(store: OutboxStore(path: scratch.path("outbox.sqlite")), session: session, logger: .silent)
        let large = QuizData(
            title: "large", takenAt: Date(),
            answers: (0..<30).map {
                QuizAnswer(question: "\($0)" + String(repeating: "q", count: 4000), choice: "c", points: 1)
            })
        #expect(throws: QuizError.self) { try outbox.submit([large]) }
        let counts = try outbox.counts()
        #expect(counts == [:])
        let accepted = try outbox.submit([makeQuiz()]).count
        #expect(accepted == 1)
        let countsNow = try outbox.counts()
        #expect(countsNow == [.pending: 1])
    }

    @Test("The statuses of received quizzes are posted: first that they came, then what became of them")
    func statuses() throws {
        #expect(areObserversTold())
        let history = MessageHistory()
        let (stored, invalid) = (makeQuiz(takenAt: Date()), makeQuiz(title: " ", takenAt: Date()))
        let device = UUID()
        for quiz in [stored, invalid] { _ = arrive(try payload(of: quiz), device) }
        receiver.roundEnded()
        #expect(areObserversTold())
        let entries = history.entries.filter { [stored.identifier, invalid.identifier].contains($0.identifier) }
        #expect(entries.map(\.identifier) == [stored.identifier, invalid.identifier])
        #expect(entries.map(\.statuses) == [[.received, .replied], [.received, .failed]])
        #expect(entries.map(\.errorMessage) == [nil, "title: is empty"])
    }

    @Test("Each change of a store is posted with what changed")
    func postedChanges() throws {
        #expect(areObserversTold())
        let changes = Collector<QuizStoreChange>()
        let observer = NotificationObserver(.quizStoreDidChange) { notification in
            if let change = notification.object as? QuizStoreChange { changes.add(change) }
        }
        let device = UUID()
        let quizzes = try (0..<3).map { try Record(makeQuiz(title: "\($0)", takenAt: Date()), device: device) }
        let time = Date(timeIntervalSince1970: 1_000)
        _ = try observed.insert(quizzes, receivedAt: time)
        _ = try observed.insert([quizzes[0]], receivedAt: time)
        _ = try observed.update(quizzes[1], updatedAt: time)
        _ = try observed.delete(RecordKey(quizzes[1].identifier, device: device), deletedAt: time)
        _ = try observed.expire(receivedBefore: nil, keeping: 1, limit: 9)
        #expect(areObserversTold())
        let inserted = changes.all.map { $0.inserted.map(\.record) }
        #expect(inserted == [quizzes, [], [], []])
        let sequences = changes.all.first?.inserted.map(\.sequence)
        #expect(sequences == [1, 2, 3])
        let times = changes.all.first?.inserted.map(\.receivedAt)
        #expect(times == [time, time, time])
        let updated = changes.all.map(\.updated)
        #expect(updated == [[], [quizzes[1]], [], []])
        let keys = quizzes.map { RecordKey($0.identifier, device: device) }
        let deleted = changes.all.map(\.deleted)
        #expect(deleted == [[], [], [keys[1]], [keys[0]]])
        withExtendedLifetime(observer) {}
    }

    @Test("An observation ends with its owner")
    func observation() {
        #expect(areObserversTold())
        let (name, heard) = (Notification.Name("WatchLinkTests \(UUID())"), Collector<Bool>())
        var observer: NotificationObserver? = NotificationObserver(name) { _ in heard.add(true) }
        post(name, object: "first")
        #expect(areObserversTold())
        withExtendedLifetime(observer) {}
        observer = nil
        post(name, object: "second")
        #expect(areObserversTold())
        #expect(heard.all == [true])
    }

    @Test("A value derived from a store is read once after each change, and not at all without one")
    func readOnce() throws {
        let reads = Collector<Bool>()
        let observer = StoreObserver<Int>(observed) { (store: any RecordStore) throws(StoreError) -> Int in
            reads.add(true)
            return try store.count()
        }
        let before = try [observer.value(), observer.value()]
        #expect(before == [0, 0])
        #expect(reads.all.count == 1)
        _ = try observed.insert([Record(makeQuiz(), device: UUID())], receivedAt: Date())
        let after = try [observer.value(), observer.value()]
        #expect(after == [1, 1])
        #expect(reads.all.count == 2)
    }

    @Test("Each status of a message that is sent is posted, and its end is told once")
    func sentStatuses() {
        #expect(areObserversTold())
        struct Commands: SessionCommands { let session: WCSession }
        let session = WCSession(
            configuration: DeviceConfiguration(
                device: Device(identifier: UUID(), role: .companion, name: "c"), socketPath: scratch.path("none.sock"),
                stateDirectory: scratch.path("state")))
        let (commands, history) = (Commands(session: session), MessageHistory())
        let (early, late, ends) = (UUID(), UUID(), Collector<MessagePackage>())
        commands.sendMessageData(Data([1]), identifier: early) { ends.add($0) }
        let activated = Collector<Bool>()
        let observer = NotificationObserver(.activationDidComplete) { notification in
            if let object = notification.object as? WCSession, object === session { activated.add(true) }
        }
        let delegate = WatchSessionDelegate()
        session.delegate = delegate
        session.activate()
        activated.expect { !$0.isEmpty }
        commands.sendMessageData(Data([2]), identifier: late) { ends.add($0) }
        ends.expect { $0.count == 2 }
        #expect(areObserversTold())
        let statuses = history.entries.filter { [early, late].contains($0.identifier) }.map(\.statuses)
        #expect(statuses == [[.failed], [.sent, .failed]])
        #expect(ends.all.map(\.identifier) == [early, late])
        #expect(ends.all.map(\.command) == [.sendMessageData, .sendMessageData])
        #expect(ends.all.map(\.wantsReply) == [true, true])
        #expect(ends.all.map(\.dataPackage) == [Data([1]), Data([2])])
        withExtendedLifetime((observer, delegate)) {}
    }

    @Test("The end of a small round returns at once while another round is being stored")
    func smallRoundMeanwhile() throws {
        let goOn = DispatchSemaphore(value: 0)
        let (began, waits) = (Collector<Bool>(), Collector<Bool>())
        let hook: @Sendable () -> Void = {
            began.add(true)
            waits.add(goOn.wait(timeout: .now() + 5) == .success)
        }
        store.beforeInsertion.withLock { $0 = hook }
        let large = try (0..<9).map { arrive(try payload(of: makeQuiz(title: "\($0)", takenAt: Date())), UUID()) }
        receiver.roundEnded()
        began.expect { !$0.isEmpty }
        let small = arrive(try payload(of: makeQuiz(takenAt: Date())), UUID())
        receiver.roundEnded()
        for _ in 0..<10 { goOn.signal() }
        for answers in large + [small] { answers.expect { $0.map(\.verdict) == [.stored] } }
        #expect(waits.all.filter { !$0 } == [])
    }
}
