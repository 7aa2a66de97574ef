import Foundation
import TestSupport
import Testing

@testable import RecordStorage
@testable import Storage

/// A kind with a column of each type, whose names are words of SQL.
private let orders = RecordKind(
    name: "order", plural: "orders",
    columns: [
        RecordColumn("group", .text), RecordColumn("index", .integer), RecordColumn("values", .real),
        RecordColumn("from", .date),
    ])

@Suite("Kinds of records")
struct RecordKindTests {
    private let scratch: Scratch
    private let now = Date(timeIntervalSince1970: 2000.25)

    init() throws { scratch = try Scratch() }

    private func order(_ text: String = "a", archive: Data = Data([1])) -> Record {
        Record(
            key: RecordKey(UUID(), device: UUID()), values: [.text(text), .integer(-7), .real(0.1), .date(now)],
            archive: archive)
    }

    @Test("Records of a new kind are stored, changed, deleted and shown in a view, whatever its names mean in SQL")
    func newKind() throws {
        let path = scratch.path("orders.sqlite")
        let store = try SQLiteRecordStore(kind: orders, path: path)
        let (first, second) = (order("first; DROP TABLE orders"), order())
        let outcomes = try store.insert([first, second, first], receivedAt: now)
        #expect(outcomes == [.stored(sequence: 1), .stored(sequence: 2), .repeated])
        let rows = try store.records(after: .start, limit: 9)
        #expect(rows.map(\.record) == [first, second])
        let changed = Record(key: first.key, values: second.values, archive: Data([2]))
        let isUpdated = try store.update(changed, updatedAt: now)
        #expect(isUpdated)
        let isDeleted = try store.delete(second.key, deletedAt: now)
        #expect(isDeleted)
        let late = try store.insert([second, first], receivedAt: now)
        #expect(late == [.repeated, .repeated])
        // The number of the last one is not reused, even if the file is reopened.
        store.close()
        let next = try store.insert([order()], receivedAt: now)
        #expect(next == [.stored(sequence: 3)])
        let view = try Database(path: path, migrations: nil).statement(
            "SELECT sequence, identifier, device, [group], [index], [values], [from], archive_bytes FROM readable_orders"
        )
        let hasRow = try view.step()
        #expect(hasRow)
        let key = [view.text(1), view.text(2)]
        #expect(key == [first.key.identifier.uuidString, first.key.device.uuidString])
        let values = [view.text(3), view.text(4), view.text(5), view.text(6), view.text(7)]
        #expect(values == ["a", "-7", "0.1", "1970-01-01 00:33:20", "1"])
        let hasMore = try view.step()
        #expect(hasMore)
        #expect(view.integer(0) == 3)
        let tables = try Database(path: path, migrations: nil).statement(
            "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE sql NOTNULL ORDER BY name)")
        _ = try tables.step()
        #expect(tables.text(0) == "deleted_orders,devices,last_deleted,order_deleted,orders,readable_orders")
    }

    @Test("A kind without columns of its own, and one whose singular and plural are the same, are stored")
    func smallKinds() throws {
        for kind in [
            RecordKind(name: "tick", plural: "ticks", columns: []),
            RecordKind(name: "sheep", plural: "sheep", columns: []),
        ] {
            let store = try SQLiteRecordStore(kind: kind, path: scratch.path(kind.plural))
            let record = Record(key: RecordKey(UUID(), device: UUID()), values: [], archive: Data())
            let outcomes = try store.insert([record], receivedAt: now)
            #expect(outcomes == [.stored(sequence: 1)], "\(kind)")
            let isUpdated = try store.update(record, updatedAt: now)
            #expect(isUpdated)
            let rows = try store.records(identifier: record.key.identifier).map(\.record)
            #expect(rows == [record], "\(kind)")
        }
    }

    @Test(
        "Names that cannot be those of tables and columns are refused",
        arguments: [
            (RecordKind(name: "", plural: "a", columns: []), RecordKindError.illegalName("")),
            (RecordKind(name: "a b", plural: "a", columns: []), .illegalName("a b")),
            (RecordKind(name: "step1", plural: "a", columns: []), .illegalName("step1")),
            (RecordKind(name: "Step", plural: "a", columns: []), .illegalName("Step")),
            (RecordKind(name: "step", plural: "1steps", columns: []), .illegalName("1steps")),
            (RecordKind(name: "step", plural: "steps]; DROP", columns: []), .illegalName("steps]; DROP")),
            (RecordKind(name: "step", plural: "steps_", columns: []), .illegalName("steps_")),
            (RecordKind(name: "é", plural: "steps", columns: []), .illegalName("é")),
            (
                RecordKind(name: "step", plural: String(repeating: "s", count: 41), columns: []),
                .illegalName(String(repeating: "s", count: 41))
            ),
            (RecordKind(name: "device", plural: "devices", columns: []), .reservedName("devices")),
            (RecordKind(name: "step", plural: "steps", columns: [RecordColumn("", .text)]), .illegalColumn("")),
            (RecordKind(name: "step", plural: "steps", columns: [RecordColumn("_a", .text)]), .illegalColumn("_a")),
            (RecordKind(name: "step", plural: "steps", columns: [RecordColumn("a]", .text)]), .illegalColumn("a]")),
            (
                RecordKind(name: "step", plural: "steps", columns: [RecordColumn("archive", .text)]),
                .reservedColumn("archive")
            ),
            (
                RecordKind(
                    name: "step", plural: "steps", columns: [RecordColumn("a", .text), RecordColumn("a", .real)]),
                .repeatedColumn("a")
            ),
        ])
    func illegal(_ kind: RecordKind, _ expected: RecordKindError) throws {
        let error = #expect(throws: RecordKindError.self) {
            try SQLiteRecordStore(kind: kind, path: scratch.path("db.sqlite"))
        }
        #expect(error == expected)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("db.sqlite")))
    }

    @Test("The longest names are usable")
    func longest() throws {
        let name = String(repeating: "n", count: 40)
        let kind = RecordKind(name: name, plural: "p" + name.dropFirst(), columns: [RecordColumn(name + "", .text)])
        let store = try SQLiteRecordStore(kind: kind, path: scratch.path("db.sqlite"))
        let count = try store.count()
        #expect(count == 0)
    }

    @Test("A record without the values of its kind is refused, with all that come with it, and names its columns")
    func values() throws {
        let store = try SQLiteRecordStore(kind: orders, path: scratch.path("orders.sqlite"))
        for values in [[], order().values.reversed(), order().values + [.real(1)]] as [[RecordValue]] {
            let wrong = Record(key: RecordKey(UUID(), device: UUID()), values: values, archive: Data())
            let error = #expect(throws: StoreError.self) { try store.insert([order(), wrong], receivedAt: now) }
            #expect(error?.kind == .refused)
            #expect(error?.description.contains("group: text, index: integer, values: real, from: date") == true)
            #expect(throws: StoreError.self) { try store.update(wrong, updatedAt: now) }
        }
        let count = try store.count()
        #expect(count == 0)
    }

    @Test("A cursor of another store is refused, not read as the start")
    func cursor() throws {
        let store = try SQLiteRecordStore(kind: orders, path: scratch.path("orders.sqlite"))
        let records = [order(), order()]
        _ = try store.insert(records, receivedAt: now)
        let error = #expect(throws: StoreError.self) {
            try store.records(after: RecordCursor(rawValue: "1.5"), limit: 1)
        }
        #expect(error?.kind == .refused)
        let first = try store.records(after: .start, limit: 1)
        let next = try store.records(after: try #require(first.last?.cursor), limit: 9).map(\.record)
        #expect(next == [records[1]])
    }

    @Test("The errors of SQLite are those of a store, by their consequence, with the same text")
    func errors() {
        let kinds: [(code: Int32, StoreError.Kind)] = [
            (5, .unavailable), (6, .unavailable), (7, .unavailable), (10, .unavailable), (13, .unavailable),
            (14, .unavailable), (266, .unavailable), (11, .damaged), (26, .damaged), (267, .damaged), (1, .refused),
            (3, .refused), (8, .refused), (19, .refused), (20, .refused), (1_299, .refused),
        ]
        for (code, kind) in kinds {
            let error = DatabaseError(code: code, path: "/a.sqlite", operation: "open", detail: "why")
            #expect(StoreError(error) == StoreError(kind, error.description), "\(code)")
        }
        let displaced = DatabaseError(DatabaseDisplacement.gone, path: "/a.sqlite")
        #expect(StoreError(displaced) == StoreError(.displaced, displaced.description))
    }
}
