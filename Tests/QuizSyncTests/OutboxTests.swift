import Dispatch
import EventLog
import Foundation
import LinkProtocol
import RecordStorage
import Storage
import TestSupport
import Testing
import WatchConnectivity

@testable import QuizSync
@testable import RecordSync

/// A phone that stores quizzes and a watch with an outbox, in the test's process.
private final class QuizLink {
    let scratch: Scratch
    let log = Collector<LogRecord>()
    let phone: WCSession
    let watch: WCSession
    let store: SQLiteRecordStore
    private let receiver: QuizReceiver
    private let phoneDelegate: WatchSessionDelegate
    private let watchDelegate = WatchSessionDelegate()

    init() throws {
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
        phone = session(.host)
        watch = session(.companion)
        store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("quizzes.sqlite"))
        receiver = QuizReceiver(store: store, logger: .silent)
        phoneDelegate = WatchSessionDelegate(receiver: receiver)
        phone.delegate = phoneDelegate
        watch.delegate = watchDelegate
    }

    /// An outbox of the watch; two with the same path are the same outbox, before and after a restart.
    func outbox(_ name: String = "outbox.sqlite") -> Outbox {
        let log = log
        let logger = Logger(service: "test", minimumLevel: .debug) { log.add($0) }
        return Outbox(
            store: OutboxStore(path: scratch.path(name), logger: logger), session: watch, logger: logger,
            backoff: Backoff(initial: .milliseconds(5), maximum: .milliseconds(20)))
    }

    /// Ends both devices, and waits until all statuses of messages are posted: later tests must not get them.
    func end() {
        let ended = Collector<Bool>()
        watch.shutDown("test") { ended.add(true) }
        phone.shutDown("test") { ended.add(true) }
        ended.expect { $0.count == 2 }
        receiver.finish()
        let posted = Collector<Bool>()
        DispatchQueue.main.async { posted.add(true) }
        posted.expect { !$0.isEmpty }
    }
}

extension ApplicationTests {
    /// Part of the serialised suite, as the statuses of its messages are posted to the whole process.
    @Suite("Outbox")
    struct OutboxTests {
        private let link: QuizLink

        init() throws { link = try QuizLink() }

        /// Collects the answers about a quiz: its title, its state and the reason.
        private func wait(
            for quiz: QuizData, in outbox: Outbox, within patience: Duration? = nil, _ ends: Collector<String>
        ) {
            let title = quiz.title
            outbox.whenSettled(quiz.identifier, within: patience) { state, reason in
                ends.add("\(title): \(state.rawValue), \(reason ?? "no reason")")
            }
        }

        @Test("Accepted quizzes wait for the phone, are stored in their order, and whoever waits is told")
        func delivered() throws {
            let outbox = link.outbox()
            link.watch.activate()
            outbox.start()
            let quizzes = (0..<5).map { makeQuiz(title: "\($0)") }
            let outcomes = try outbox.submit(quizzes)
            #expect(outcomes == (1...5).map { .accepted(position: $0) })
            let ends = Collector<String>()
            for quiz in quizzes { wait(for: quiz, in: outbox, ends) }
            let counts = try outbox.counts()
            #expect(counts == [.pending: 5])
            #expect(outbox.waitingReason != nil)
            #expect(ends.all == [])
            link.phone.activate()
            ends.expect { $0.count == 5 }
            let replied = quizzes.map { "\($0.title): replied, no reason" }
            #expect(ends.all.sorted() == replied)
            let titles = try link.store.records(after: .start, limit: 9).map(\.record.title)
            #expect(titles == quizzes.map(\.title))
            let countsLater = try outbox.counts()
            #expect(countsLater == [.replied: 5])
            #expect(outbox.waitingReason == nil)
            wait(for: quizzes[0], in: outbox, ends)
            ends.expect { $0.count == 6 }
            #expect(ends.all.last == "0: replied, no reason")
            outbox.finish()
            link.end()
        }

        @Test("A handler may use the outbox: each submits the next quiz, and asks about it")
        func chain() throws {
            let outbox = link.outbox()
            link.watch.activate()
            link.phone.activate()
            outbox.start()
            let quizzes = (0..<20).map { makeQuiz(title: "\($0)") }
            let ends = Collector<String>()
            @Sendable func submit(_ index: Int) {
                guard index < quizzes.count else { return }
                do {
                    _ = try outbox.submit([quizzes[index]])
                } catch {
                    return ends.add("\(error)")
                }
                outbox.whenSettled(quizzes[index].identifier) { state, _ in
                    let reason = outbox.waitingReason ?? "none"
                    ends.add("\(index): \(state.rawValue), \(reason)")
                    submit(index + 1)
                }
            }
            submit(0)
            ends.expect { $0.count == quizzes.count }
            #expect(ends.all == quizzes.indices.map { "\($0): replied, none" })
            outbox.finish()
            link.end()
        }

        @Test("Quizzes that were accepted before a restart are sent after it")
        func restarted() throws {
            let former = link.outbox()
            let quizzes = (0..<2).map { makeQuiz(title: "\($0)") }
            _ = try former.submit(quizzes)
            former.finish()
            let outbox = link.outbox()
            link.phone.activate()
            link.watch.activate()
            outbox.start()
            let ends = Collector<String>()
            for quiz in quizzes { wait(for: quiz, in: outbox, ends) }
            ends.expect { $0.count == 2 }
            #expect(ends.all.sorted() == ["0: replied, no reason", "1: replied, no reason"])
            let titles = try link.store.records(after: .start, limit: 9).map(\.record.title)
            #expect(titles == ["0", "1"])
            let openings = link.log.all.filter { $0.event == .databaseOpened }.map(\.fields)
            #expect(openings == [[.count(0)], [.count(2)]])
            outbox.finish()
            link.end()
        }

        @Test("A quiz that the phone refuses has failed for its reason; on demand it is sent again, and others are not")
        func refused() throws {
            let outbox = link.outbox()
            link.phone.activate()
            link.watch.activate()
            outbox.start()
            let (invalid, valid) = (makeQuiz(title: " "), makeQuiz(title: "valid"))
            _ = try outbox.submit([invalid, valid])
            let ends = Collector<String>()
            wait(for: invalid, in: outbox, ends)
            wait(for: valid, in: outbox, ends)
            ends.expect { $0.count == 2 }
            #expect(ends.all.contains("valid: replied, no reason"))
            #expect(ends.all.contains(" : failed, title: is empty"))
            let failed = try outbox.failed(limit: 9).map(\.identifier)
            #expect(failed == [invalid.identifier])
            let none = try outbox.retry([valid.identifier])
            #expect(none == [])
            let retried = try outbox.retry(nil)
            #expect(retried == [invalid.identifier])
            wait(for: invalid, in: outbox, ends)
            ends.expect { $0.count == 3 }
            #expect(ends.all.last == " : failed, title: is empty")
            let sent = link.log.all.count {
                $0.event == .quizSent && $0.fields.contains(.package(invalid.identifier))
            }
            #expect(sent == 2)
            let refusals = link.log.all.count { $0.event == .quizFailed }
            #expect(refusals == 2)
            outbox.finish()
            link.end()
        }

        @Test("Each waiter's own patience ends its wait, also behind a more patient one, and again")
        func patience() throws {
            let outbox = link.outbox()
            outbox.start()
            let quiz = makeQuiz(title: "q")
            _ = try outbox.submit([quiz])
            let (patient, hasty) = (Collector<String>(), Collector<String>())
            wait(for: quiz, in: outbox, within: .seconds(3_600), patient)
            for number in 1...3 {
                wait(for: quiz, in: outbox, within: .milliseconds(10), hasty)
                hasty.expect { $0.count == number }
            }
            let late = "q: pending, this device's session is not activated"
            #expect(hasty.all == [late, late, late])
            #expect(patient.all == [])
            outbox.finish()
        }

        @Test("A quiz that the outbox does not have counts as failed at once")
        func unlisted() throws {
            let outbox = link.outbox()
            let ends = Collector<String>()
            wait(for: makeQuiz(title: "q"), in: outbox, ends)
            ends.expect { !$0.isEmpty }
            let first = ends.all.first ?? ""
            #expect(first.hasPrefix("q: failed, the outbox does not list it: "), "\(first)")
        }

        @Test("A quiz whose state cannot be read counts as pending, with the database's error")
        func unreadable() throws {
            let outbox = link.outbox("missing/outbox.sqlite")
            let ends = Collector<String>()
            wait(for: makeQuiz(title: "q"), in: outbox, ends)
            ends.expect { !$0.isEmpty }
            #expect(ends.all.count == 1)
            let first = ends.all.first ?? ""
            #expect(first.hasPrefix("q: pending, cannot "), "\(first)")
            #expect(first.contains("missing/outbox.sqlite"), "\(first)")
        }

        @Test("A database that cannot be opened refuses quizzes, and is opened by itself as soon as it can be")
        func opensLater() throws {
            let outbox = link.outbox("missing/outbox.sqlite")
            let started = Collector<Bool>()
            outbox.start { started.add(true) }
            started.expect { $0 == [true] }
            let quiz = makeQuiz()
            #expect(throws: StoreError.self) { try outbox.submit([quiz]) }
            #expect(throws: StoreError.self) { try outbox.retry(nil) }
            let early = link.log.all.count { $0.event == .databaseOpened }
            #expect(early == 0)
            try FileManager.default.createDirectory(
                atPath: link.scratch.path("missing"), withIntermediateDirectories: false)
            link.log.expect { $0.contains { $0.event == .databaseOpened } }
            let outcomes = try outbox.submit([quiz])
            #expect(outcomes == [.accepted(position: 1)])
            #expect(started.all == [true])
            outbox.finish()
        }

        @Test("An outbox that has finished leaves everything in its one file")
        func finished() throws {
            let outbox = link.outbox()
            let quiz = makeQuiz()
            _ = try outbox.submit([quiz])
            outbox.finish()
            let copy = link.scratch.path("copy.sqlite")
            try FileManager.default.copyItem(atPath: link.scratch.path("outbox.sqlite"), toPath: copy)
            let pending = try OutboxStore(path: copy).pending().map(\.identifier)
            #expect(pending == [quiz.identifier])
        }

        @Test("A repeated quiz is known and not sent twice; other content under its identifier is a conflict")
        func repeated() throws {
            let outbox = link.outbox()
            let (identifier, takenAt) = (UUID(), Date(timeIntervalSince1970: 1_000))
            let quiz = makeQuiz(identifier, title: "one", takenAt: takenAt)
            let other = makeQuiz(identifier, title: "other", takenAt: takenAt)
            let outcomes = try outbox.submit([quiz, quiz, other])
            #expect(outcomes == [.accepted(position: 1), .repeated(.pending, reason: nil), .conflict])
            let accepted = link.log.all.filter { $0.event == .quizAccepted }.compactMap(\.fields.first)
            #expect(accepted == [.package(identifier)])
            outbox.finish()
        }

        @Test("The largest quiz that fits into a message is accepted, and one with a letter more is not")
        func largest() throws {
            let outbox = link.outbox()
            let (identifier, takenAt) = (UUID(), Date(timeIntervalSince1970: 1_000))
            func quiz(_ letters: Int) -> QuizData {
                makeQuiz(identifier, title: String(repeating: "x", count: letters), takenAt: takenAt)
            }
            func bytes(_ letters: Int) throws -> Int {
                let archive = try outbox.archivedData(of: quiz(letters))
                return try outbox.payload(around: archive, after: identifier).count
            }
            var (fits, exceeds) = (1_000, LinkLimits.messageBytes)
            while exceeds - fits > 1 {
                let middle = (fits + exceeds) / 2
                if try bytes(middle) <= LinkLimits.messageBytes { fits = middle } else { exceeds = middle }
            }
            let (large, excess) = (quiz(fits), quiz(exceeds))
            let needed = try bytes(exceeds)
            let error = #expect(throws: QuizError.self) { try outbox.submit([makeQuiz(), excess]) }
            let reason = "needs \(needed) bytes; the limit is \(LinkLimits.messageBytes) (payloads.message)"
            #expect(error == QuizError.invalid(field: "quiz \(identifier)", reason: reason))
            let none = try outbox.counts()
            #expect(none == [:])
            let outcomes = try outbox.submit([large])
            #expect(outcomes == [.accepted(position: 1)])
            outbox.finish()
        }

        @Test("A quiz that has no room for a predecessor, as earlier versions accepted, waits for the earlier ones")
        func lacksRoom() throws {
            let former = link.outbox()
            let first = makeQuiz(title: "first")
            _ = try former.submit([first])
            former.finish()
            let large = UUID()
            let store = OutboxStore(path: link.scratch.path("outbox.sqlite"))
            _ = try store.accept([(large, Data(count: LinkLimits.messageBytes))], at: Date())
            store.close()
            let outbox = link.outbox()
            link.phone.activate()
            link.watch.activate()
            outbox.start()
            link.log.expect { records in
                records.contains { $0.event == .quizRetryScheduled && $0.fields.contains(.package(large)) }
            }
            let retries = link.log.all.filter {
                $0.event == .quizRetryScheduled && $0.fields.contains(.package(large))
            }
            #expect(retries.first?.fields.contains(.reason("it waits for earlier quizzes")) == true)
            let ends = Collector<String>()
            wait(for: first, in: outbox, ends)
            ends.expect { $0 == ["first: replied, no reason"] }
            outbox.finish()
            link.end()
        }

        @Test("The first use of an outbox may be to send failed quizzes again")
        func retriesFirst() throws {
            let outbox = link.outbox()
            let none = try outbox.retry(nil)
            #expect(none == [])
            let pending = try outbox.counts()
            #expect(pending == [:])
            outbox.finish()
        }

        @Test("A reply that could not be recorded is told when it is, and not before")
        func recordedLater() throws {
            let outbox = link.outbox()
            link.watch.activate()
            outbox.start()
            let quiz = makeQuiz(title: "q")
            _ = try outbox.submit([quiz])
            let ends = Collector<String>()
            wait(for: quiz, in: outbox, ends)
            let other = try Database(path: link.scratch.path("outbox.sqlite"), migrations: nil)
            try other.execute(
                "CREATE TRIGGER refusal BEFORE UPDATE ON outbox BEGIN SELECT RAISE(ABORT, 'refused'); END")
            link.phone.activate()
            link.log.expect { $0.contains { $0.event == .databaseUnavailable } }
            let pending = try outbox.counts()
            #expect(pending == [.pending: 1])
            #expect(ends.all == [])
            try other.execute("DROP TRIGGER refusal")
            ends.expect { $0 == ["q: replied, no reason"] }
            let replied = try outbox.counts()
            #expect(replied == [.replied: 1])
            outbox.finish()
            link.end()
        }

        @Test("Nothing about usage is recorded unless it is asked for")
        func usage() throws {
            // What would be recorded are the process's metrics, to which all tests add.
            let receiver = QuizReceiver(store: link.store, logger: .silent)
            let outbox = link.outbox()
            let ofOutbox = Mirror(reflecting: outbox).descendant("usage", "isOn") as? Bool
            #expect(ofOutbox == false)
            let ofReceiver = Mirror(reflecting: receiver).descendant("usage", "isOn") as? Bool
            #expect(ofReceiver == false)
        }
    }
}
