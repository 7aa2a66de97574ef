import DeviceEngine
import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import SessionStorage
import Storage
import TestSupport
import Testing

@Suite("The notes of the ledger")
struct LedgerNotesTests {
    private let scratch: Scratch
    private let store: SessionStore
    private let queue = DispatchQueue(label: "test.store")
    private let log = Collector<LogRecord>()

    init() throws {
        scratch = try Scratch()
        store = SessionStore(path: scratch.path("session.sqlite"))
    }

    private func makeBook(capacity: Int = 100) -> LedgerRecorder {
        LedgerRecorder(
            store: store, capacity: capacity, queue: queue, logger: Logger(service: "test") { [log] in log.add($0) })
    }

    private func sent(_ identifier: UUID = UUID()) -> LedgerNote {
        LedgerNote(identifier, .outgoing, .message, device: nil, .sent, at: Date())
    }

    /// The fields of the reports of missing entries.
    private var reports: [[LogField]] { log.all.filter { $0.event == .ledgerIncomplete }.map(\.fields) }

    /// Makes notes that are written together.
    private func together(_ make: () -> Void) {
        queue.suspend()
        make()
        queue.resume()
    }

    @Test(
        "60,000 notes may wait; one more is dropped, which is reported once, with their number", arguments: [0, 1, 2])
    func waiting(_ excess: Int) throws {
        let (book, note) = (makeBook(), sent())
        together { for _ in 0..<(60_000 + excess) { book.note(note) } }
        for _ in 1...2 {
            let attempts = try book.entries(LedgerQuery()).map(\.attempts)
            #expect(attempts == [60_000])
        }
        let expected: [[LogField]] = excess == 0 ? [] : [[.count(excess), .reason("too many notes were waiting")]]
        #expect(reports == expected)
    }

    @Test("After notes were dropped the next one is written again")
    func afterDropped() throws {
        let (book, note, next) = (makeBook(), sent(), sent())
        together { for _ in 0...60_000 { book.note(note) } }
        _ = try book.entries(LedgerQuery())
        book.note(next)
        let written = try book.entries(LedgerQuery()).map(\.identifier)
        #expect(written == [note.identifier, next.identifier])
        #expect(reports.count == 1)
    }

    @Test("Whoever waits for a change is called by the next note, once, and not without one")
    func watched() throws {
        let book = makeBook()
        let calls = Collector<String>()
        book.whenChanged { calls.add("first") }
        _ = try book.entries(LedgerQuery())
        #expect(calls.all == [])
        for _ in 1...2 {
            book.note(sent())
            _ = try book.entries(LedgerQuery())
            #expect(calls.all == ["first"])
        }
        book.whenChanged { calls.add("second") }
        book.whenChanged { calls.add("third") }
        book.note(sent())
        _ = try book.entries(LedgerQuery())
        #expect(calls.all == ["first", "second", "third"])
    }

    @Test("A note is written, and whoever waits for it called, without being asked for")
    func unasked() {
        let book = makeBook()
        let calls = Collector<Bool>()
        book.whenChanged { calls.add(true) }
        book.note(sent())
        calls.expect { $0 == [true] }
    }

    @Test("So is whoever waits for a change by a commit, which writes the waiting notes before its own")
    func committed() throws {
        let book = makeBook()
        let (calls, waiting, own) = (Collector<Bool>(), sent(), sent())
        book.whenChanged { calls.add(true) }
        try queue.sync {
            book.note(waiting)
            for _ in 1...2 {
                try book.committing { batch throws(DatabaseError) in try store.write(batch([own])) }
            }
        }
        #expect(calls.all == [true])
        let entries = try book.entries(LedgerQuery())
        #expect(entries.map(\.identifier) == [waiting.identifier, own.identifier])
        // Nothing was written twice but what was committed twice.
        #expect(entries.map(\.attempts) == [1, 2])
    }

    @Test("A ledger without room keeps nothing, neither notes nor those of commits, and reports no change by a note")
    func withoutRoom() throws {
        let book = makeBook(capacity: 0)
        let calls = Collector<Bool>()
        book.whenChanged { calls.add(true) }
        book.note(sent())
        let none = try book.entries(LedgerQuery())
        #expect(none == [])
        #expect(calls.all == [])
        let own = sent()
        try queue.sync {
            try book.committing { batch throws(DatabaseError) in
                let entries = batch([own]).entries
                #expect(entries == [])
            }
        }
        let noneAfterwards = try book.entries(LedgerQuery())
        #expect(noneAfterwards == [])
    }

    @Test("One identifier has an entry for each direction, in the order of the first notes")
    func directions() throws {
        let book = makeBook()
        let (identifier, device) = (UUID(), UUID())
        let times = (1...3).map { Date(timeIntervalSince1970: Double($0)) }
        together {
            book.note(LedgerNote(identifier, .outgoing, .userInfo, device: nil, bytes: 7, .queued, at: times[0]))
            book.note(LedgerNote(identifier, .incoming, .userInfo, device: device, bytes: 8, .received, at: times[1]))
            book.note(LedgerNote(identifier, .outgoing, .userInfo, device: device, .sent, at: times[2]))
            book.note(LedgerNote(identifier, .incoming, .userInfo, device: nil, .delivered, at: times[2]))
        }
        let entries = try book.entries(LedgerQuery())
        #expect(entries.map(\.direction) == [.outgoing, .incoming])
        #expect(entries.map(\.identifier) == [identifier, identifier])
        #expect(entries.map(\.state) == [.sent, .delivered])
        // A device that becomes known later is kept, and one that is known is not forgotten.
        #expect(entries.map(\.device) == [device, device])
        #expect(entries.map(\.bytes) == [7, 8])
        #expect(entries.map(\.attempts) == [1, 1])
        #expect(entries.map(\.queuedAt) == [times[0], nil])
        #expect(entries.map(\.sentAt) == [times[2], nil])
        #expect(entries.map(\.receivedAt) == [nil, times[1]])
        #expect(entries.map(\.deliveredAt) == [nil, times[2]])
    }

    @Test("The cause of a state, and the transfer that replaced one, are kept")
    func causes() throws {
        let book = makeBook()
        let (failed, former, newer) = (UUID(), UUID(), UUID())
        together {
            book.note(LedgerNote(failed, .outgoing, .file, device: nil, .failed, at: Date(), cause: "no space"))
            book.note(.coalesced(former, by: newer, .outgoing, device: nil, at: Date()))
        }
        let entries = try book.entries(LedgerQuery())
        #expect(entries.map(\.identifier) == [failed, former])
        #expect(entries.map(\.kind) == ["file", "context"])
        #expect(entries.map(\.state) == [.failed, .coalesced])
        #expect(entries.map(\.cause) == ["no space", "a newer context replaced it"])
        #expect(entries.map(\.related) == [nil, newer])
    }

    @Test("Notes that cannot be written are missing, and the log says how many entries they were")
    func unwritable() throws {
        let book = makeBook()
        let arrived = try store.inboxCount()
        #expect(arrived == 0)
        try DiskFault.full.apply(to: scratch.path)
        let (twice, next) = (sent(), sent())
        together { for note in [twice, sent(), twice] { book.note(note) } }
        queue.sync { book.flush() }
        #expect(reports.map(\.first) == [LogField.count(2)])
        #expect(reports.map { $0.map(\.key) } == [["count", "error"]])
        try queue.sync { try DiskFault.none.apply(to: scratch.path) }
        book.note(next)
        let written = try book.entries(LedgerQuery()).map(\.identifier)
        #expect(written == [next.identifier])
        #expect(reports.count == 1)
    }
}
