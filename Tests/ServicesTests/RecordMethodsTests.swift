import Configuration
import ControlSocket
import EventLog
import Foundation
import Glibc
import RecordStorage
import RecordSync
import TestSupport
import Testing

@testable import Services

/// A payload with a column that its documents do not have.
private struct Tune: RecordPayload, Codable, Equatable {
    static let name = "tune"
    static let columns: [PayloadColumn<Tune>] = [
        .integer("note_count") { $0.notes.count }, .date("sung_at") { $0.sungAt },
    ]

    let identifier: UUID
    var notes = ["c", "e", "g"]
    var sungAt = Date(timeIntervalSince1970: 1_700_000_000.123_4)

    func warning(at time: Date) -> String? { sungAt > time ? "sungAt is ahead of the clock" : nil }
}

@Suite("Methods of records")
struct RecordMethodsTests {
    private let scratch: Scratch
    private let application: RecordApplication
    private let store: SQLiteRecordStore
    private let methods: RecordMethods
    private let tune = Tune(identifier: UUID())
    private let device = UUID()

    init() throws {
        scratch = try Scratch()
        application = try RecordApplication(Tune.self)
        store = try SQLiteRecordStore(kind: application.kind, path: scratch.path("tunes.sqlite"))
        methods = RecordMethods(of: application, store: store, maintenance: store, logger: .silent)
        _ = try store.insert([application.record(tune, device: device)], receivedAt: Date(timeIntervalSince1970: 2_000))
    }

    private func call(_ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
        try #require(methods.answer(method, params)).get()
    }

    private func refusal(_ method: String, _ params: JSONValue) -> String? {
        let error = #expect(throws: ControlError.self) { try call(method, params) }
        return error?.message
    }

    @Test("A list has the columns and the judgement of the clock, and an export the payload")
    func forms() throws {
        let row = try #require(try call("tunes.list").array?.first)
        #expect(row["noteCount"] == 3)
        #expect(row["sungAt"] == "2023-11-14T22:13:20.123Z")
        #expect(row["isAheadOfClock"] == true)
        #expect(row["notes"] == nil)
        let whole = try #require(try call("tunes.export").array?.first)
        #expect(whole["notes"] == .array(["c", "e", "g"]))
        #expect(whole["isAheadOfClock"] == nil)
        #expect(whole["device"] == .string(device.uuidString))
    }

    @Test("Pages follow each other by cursors; earlier clients go on after sequence numbers")
    func pages() throws {
        for time in 3...5 {
            let new = try application.record(Tune(identifier: UUID()), device: device)
            _ = try store.insert([new], receivedAt: Date(timeIntervalSince1970: Double(time) * 1_000))
        }
        var (cursor, sequences, sizes): (JSONValue, [Int64?], [Int]) = ("", [], [])
        while true {
            let page = try call("tunes.list", ["cursor": cursor, "limit": 3])
            let rows = try #require(page["tunes"]?.array)
            sequences += rows.map { $0["sequence"]?.integer }
            sizes.append(rows.count)
            guard let next = page["next"], next != .null else { break }
            cursor = next
        }
        #expect(sequences == [1, 2, 3, 4])
        #expect(sizes == [3, 1, 0])
        let exported = try call("tunes.export", ["cursor": ""])["tunes"]?.array?.first?["notes"]
        #expect(exported == .array(["c", "e", "g"]))
        let former = try call("tunes.list", ["after": 2]).array?.map { $0["sequence"]?.integer }
        #expect(former == [3, 4])
        #expect(refusal("tunes.list", ["cursor": 2])?.contains("“cursor” must be a text") == true)
        #expect(refusal("tunes.list", ["cursor": "1:7,2:9"])?.contains("not a cursor of this store") == true)
    }

    @Test("Records in a server are verified, and what only a file can do is answered with the way to do it there")
    func server() throws {
        let methods = RecordMethods(of: application, store: store, maintenance: nil, logger: .silent)
        func answer(_ method: String) -> Result<JSONValue, ControlError>? {
            methods.answer(method, ["path": .string(scratch.path("copy"))])
        }
        let verified = try #require(answer("tunes.verify")).get()
        #expect(verified == ["tunes": 1, "problems": .array([])])
        for (method, advice) in [("tunes.backup", "pg_dump"), ("tunes.vacuum", "frees its space itself")] {
            let error = #expect(throws: ControlError.self) { try #require(answer(method)).get() }
            #expect(error?.message.contains(advice) == true, "\(String(describing: error))")
        }
    }

    @Test("The methods of other applications are not answered, and unknown ones are refused")
    func others() {
        for method in ["quizzes.list", "tune.list", "list", "", ".", "tunes"] {
            #expect(methods.answer(method, [:]) == nil, "\(method)")
        }
        #expect(refusal("tunes.sing", [:])?.contains("tunes.sing") == true)
        #expect(refusal("tunes.", [:]) != nil)
    }

    @Test("A changed payload keeps the identifier, which may be left out and must not be another one's")
    func update() throws {
        let key = JSONValue.string(tune.identifier.uuidString)
        let changed = try call(
            "tunes.update", ["identifier": key, "tune": ["notes": .array(["a"]), "sungAt": "2023-11-14T22:13:20Z"]])
        #expect(changed["noteCount"] == 1)
        #expect(changed["identifier"] == key)
        let other: JSONValue = [
            "identifier": .string(UUID().uuidString), "notes": .array([]), "sungAt": "2023-11-14T22:13:20Z",
        ]
        let reason = refusal("tunes.update", ["identifier": key, "tune": other])
        #expect(reason == "identifier: is another tune's; leave it out or give this tune's")
        #expect(refusal("tunes.update", ["identifier": key, "tune": 5])?.hasPrefix("the file") == true)
        let count = try store.count()
        #expect(count == 1)
    }

    @Test("An export is imported with its devices and times, and nothing of it twice")
    func importing() throws {
        let exported = try call("tunes.export")
        let present = try call("tunes.import", ["tunes": exported])
        #expect(present == ["stored": 0, "present": 1])
        let other = try SQLiteRecordStore(kind: application.kind, path: scratch.path("other.sqlite"))
        let elsewhere = RecordMethods(of: application, store: other, maintenance: other, logger: .silent)
        let stored = try #require(elsewhere.answer("tunes.import", ["tunes": exported])).get()
        #expect(stored == ["stored": 1, "present": 0])
        let again = try #require(elsewhere.answer("tunes.export", [:])).get()
        #expect(again == exported)
        #expect(refusal("tunes.import", ["tunes": .array(["x"])])?.hasPrefix("not a tune: ") == true)
    }

    @Test("A migration copies into another file and from it, and says what it found there")
    func migration() throws {
        let others = OtherStore(
            application: application, own: scratch.path("tunes.sqlite"), host: "phone", logger: .silent)
        let methods = RecordMethods(
            of: application, store: store, maintenance: store, others: others, logger: .silent)
        func migrate(_ params: JSONValue) throws -> JSONValue {
            try #require(methods.answer("tunes.migrate", params)).get()
        }
        let gone = try application.record(Tune(identifier: UUID()), device: device)
        _ = try store.insert([gone], receivedAt: Date(timeIntervalSince1970: 3_000))
        #expect(try store.delete(gone.key, deletedAt: Date(timeIntervalSince1970: 4_000)))
        let copy = scratch.path("copy.sqlite")
        let there = try migrate(["to": ["file": .string(copy)]])
        for (field, number) in [
            ("copied", 1), ("deleted", 1), ("verified", 1), ("inSource", 1), ("inTarget", 1), ("present", 0),
        ] as [(String, JSONValue)] {
            #expect(there[field] == number, "\(field) in \(there)")
        }
        #expect(there["isComplete"] == true)
        let other = try SQLiteRecordStore(kind: application.kind, path: copy)
        let new = try application.record(Tune(identifier: UUID()), device: device)
        _ = try other.insert([gone, new], receivedAt: Date(timeIntervalSince1970: 5_000))
        let clash = Record(key: RecordKey(UUID(), device: device), values: new.values, archive: Data([1]))
        _ = try other.insert([clash], receivedAt: Date(timeIntervalSince1970: 5_000))
        let own = Record(key: clash.key, values: new.values, archive: Data([2]))
        _ = try store.insert([own], receivedAt: Date(timeIntervalSince1970: 5_000))
        other.close()
        let back = try migrate(["from": ["file": .string(copy)]])
        #expect(back["copied"] == 1)
        #expect(back["isComplete"] == false)
        #expect(back["conflicts"] == .array([.string(clash.key.identifier.uuidString)]))
        #expect(try store.count() == 3)
    }

    @Test("A migration without a place, with two, from nowhere, or with the host's own database is refused")
    func refusedMigration() throws {
        let own = scratch.path("tunes.sqlite")
        let others = OtherStore(application: application, own: own, host: "phone", logger: .silent)
        let methods = RecordMethods(
            of: application, store: store, maintenance: store, others: others, logger: .silent)
        let open = try scratch.write("passfile", "*:*:*:*:secret")
        #expect(chmod(open, 0o644) == 0)
        let url: JSONValue = "postgresql://h/db"
        for (params, reason) in [
            ([:], "either “to” or “from”"),
            (["to": ["file": "/a"], "from": ["file": "/b"]], "either “to” or “from”"),
            (["to": ["file": "relative"]], "absolute path"), (["to": "/a"], "absolute path"),
            (["to": ["file": "/a", "passfile": "/p"]], "a file has no password"),
            (["to": ["file": .string(own)]], "is the database that the host uses now"),
            (["from": ["file": .string(scratch.path("nothing"))]], "does not exist"),
            (["to": ["url": "postgresql://u:secret@h/db"]], "***@h/db contains a password"),
            (["to": ["url": "mysql://h/db"]], "does not begin with “postgresql://”"),
            (["to": ["url": url, "passfile": .string(open)]], "chmod 600 \(open)"),
            (["to": ["url": url, "passfile": "relative"]], "must be an absolute path"),
        ] as [(JSONValue, String)] {
            let error = #expect(throws: ControlError.self) {
                try #require(methods.answer("tunes.migrate", params)).get()
            }
            #expect(error?.message.contains(reason) == true, "\(params): \(String(describing: error))")
            #expect(error?.message.contains("secret@") != true)
        }
        #expect(refusal("tunes.migrate", ["to": ["file": "/a"]])?.contains("start the host") == true)
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(!files.contains("nothing"))
    }

    @Test("A verification finds archives that cannot be read, hold another payload, or differ from their columns")
    func verification() throws {
        let sound = try call("tunes.verify")
        #expect(sound == ["tunes": 1, "problems": .array([])])
        let good = try application.record(tune, device: device)
        let bad: [(Record, String)] = [
            (
                Record(key: good.key, values: [.integer(4), good.values[1]], archive: good.archive),
                "its archive and its columns differ"
            ),
            (
                Record(key: good.key, values: good.values, archive: try Tune(identifier: UUID()).archived()),
                "its archive holds another tune"
            ),
            (
                Record(key: good.key, values: good.values, archive: Data([1])),
                "its archive cannot be read: not a tune: "
            ),
        ]
        for (record, reason) in bad {
            _ = try store.update(record, updatedAt: Date())
            let problems = try call("tunes.verify")["problems"]?.array?.compactMap(\.string)
            #expect(problems?.count == 1)
            let problem = problems?.first ?? ""
            #expect(problem.hasPrefix("tune \(tune.identifier): \(reason)"), "\(problem)")
        }
        let shown = try call("tunes.show", ["identifier": .string(tune.identifier.uuidString)])
        #expect(shown["archiveError"]?.string?.hasPrefix("not a tune: ") == true)
        #expect(shown["noteCount"] == 3)
    }
}
