import Foundation
import PostgreSQLRules
import PostgreSQLStorage
import RecordStorage
import Testing

@Suite("Tables")
struct RecordTablesTests {
    private static func kind(_ plural: String, _ columns: [RecordColumn] = []) -> RecordKind {
        RecordKind(name: "thing", plural: plural, columns: columns)
    }

    @Test(
        "A name that could be no column, or is one of every table, is refused",
        arguments: [
            "", "Title", "1st", "a b", "a\"b", "identifier", "archive", "position", "é",
            String(repeating: "a", count: 41),
        ])
    func names(_ name: String) throws {
        let error = #expect(throws: StoreError.self) {
            try RecordTables(Self.kind("things", [RecordColumn(name, .text)]))
        }
        let found = try #require(error)
        #expect(found.kind == .refused)
    }

    @Test("A kind cannot take the place of the store's own tables", arguments: ["watchlink_writers", "", "a-b", "T"])
    func tables(_ plural: String) {
        #expect(throws: StoreError.self) { try RecordTables(Self.kind(plural)) }
    }

    @Test("Words of SQL are good names, and two columns have different ones")
    func words() throws {
        let tables = try RecordTables(Self.kind("select", [RecordColumn("order", .text), RecordColumn("from", .real)]))
        #expect(tables.signature == "order:text,from:real")
        #expect(throws: StoreError.self) {
            try RecordTables(Self.kind("things", [RecordColumn("a", .text), RecordColumn("a", .real)]))
        }
    }

    @Test("Statements use nothing that other servers of the protocol do not have")
    func portable() throws {
        let kind = RecordKind(
            name: "thing", plural: "things", columns: [RecordColumn("title", .text)], keepsFiles: true)
        let (tables, file) = (try RecordTables(kind), Data(repeating: 7, count: 32))
        let record = Record(
            key: RecordKey(UUID(), device: UUID()), values: [.text("")], archive: Data(), file: file)
        let arrival = RecordArrival(record, receivedAt: Date(timeIntervalSince1970: 0))
        let statements =
            RecordTables.shared + tables.fileMigration + [
                tables.findFileColumn, tables.add(Data(), digest: file, at: arrival.receivedAt),
                tables.claim([file], at: arrival.receivedAt), tables.content(of: file), tables.settle(files: [file]),
                tables.files(of: [record.key]), tables.remove(files: [file]),
                tables.removeUnclaimedFiles(at: arrival.receivedAt),
            ] + tables.migration(fromColumns: nil) + [
                try tables.insert([arrival], digests: [Data()], host: 1, after: 0),
                try tables.insertOne(arrival, digest: Data(), host: 1, sequence: 1), tables.lockWriter(1),
                tables.highest(of: 1), tables.settle(1, at: 2), tables.lockWriters(1, hostsOf: [record.key]),
                tables.settle(hostsOf: [record.key]), tables.remove([record.key], host: 1), tables.total,
                tables.insertTraces(of: [RecordDeletion(record.key, deletedAt: arrival.receivedAt)], host: 1),
                tables.writers(after: HostCursor()), RecordTables.findEarlierColumn, RecordTables.renameEarlierColumn,
                try tables.update(record, updatedAt: arrival.receivedAt),
                tables.delete(record.key, deletedAt: arrival.receivedAt, host: 1), tables.addWriter("host"),
            ]
        for statement in statements {
            for word in ["advisory", "LISTEN", "NOTIFY", "SERIAL", "nextval", "IDENTITY", "xmin", "sha256"] {
                #expect(!statement.text.localizedCaseInsensitiveContains(word), "\(statement.text)")
            }
            // A parameter's number that has no value, or none for one that is there.
            let highest = statement.text.matches(of: /\$(\d+)/).compactMap { Int($0.1) }.max() ?? 0
            #expect(highest == statement.parameters.count, "\(statement.text)")
        }
    }

    @Test("A record of another kind's columns, or with a file, is refused alone and in a batch")
    func misshapen() throws {
        let tables = try RecordTables(Self.kind("things", [RecordColumn("title", .text)]))
        let key = RecordKey(UUID(), device: UUID())
        let records = [
            Record(key: key, values: [], archive: Data()), Record(key: key, values: [.integer(1)], archive: Data()),
            Record(key: key, values: [.text("a"), .text("b")], archive: Data()),
            Record(key: key, values: [.text("a")], archive: Data(), file: Data(repeating: 7, count: 32)),
        ]
        for record in records {
            let arrival = RecordArrival(record, receivedAt: Date(timeIntervalSince1970: 0))
            let alone = #expect(throws: StoreError.self, "\(record.values)") {
                try tables.insertOne(arrival, digest: Data(), host: 1, sequence: 1)
            }
            #expect(alone?.kind == .refused, "\(record.values)")
            let together = #expect(throws: StoreError.self, "\(record.values)") {
                try tables.insert([arrival], digests: [Data()], host: 1, after: 0)
            }
            #expect(together?.kind == .refused, "\(record.values)")
        }
    }

    @Test("Only a row that is checked seldom is left out of the insertion of one record")
    func alone() throws {
        let tables = try RecordTables(Self.kind("things", [RecordColumn("title", .text)]))
        let record = Record(key: RecordKey(UUID(), device: UUID()), values: [.text("")], archive: Data())
        let arrival = RecordArrival(record, receivedAt: Date(timeIntervalSince1970: 0))
        let one = try tables.insertOne(arrival, digest: Data(), host: 1, sequence: 8)
        #expect(!one.text.contains("watchlink_writers"), "\(one.text)")
        #expect(one.parameters.contains(.integer(8)), "\(one.parameters)")
        let batch = try tables.insert([arrival], digests: [Data()], host: 1, after: 7)
        #expect(batch.text.contains("settled <= $3") && batch.parameters[2] == .integer(7), "\(batch.text)")
    }

    #if !PostgreSQL
        @Test("A program without the trait says how to build it, and links nothing")
        func withoutTrait() throws {
            #expect(SharedStore.isBuiltIn == false)
            let settings = PostgreSQLSettings(address: try ServerAddress("postgresql://host/db"), host: "phone")
            let error = #expect(throws: StoreError.self) {
                try SharedStore.store(kind: Self.kind("things"), settings: settings)
            }
            let found = try #require(error)
            #expect(found.kind == .refused)
            #expect(found.description.contains("swift build --traits PostgreSQL"), "\(found)")
            #expect(FileManager.default.fileExists(atPath: "/proc/self/maps"))
            let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
            #expect(!maps.contains("libpq"))
        }
    #endif
}
