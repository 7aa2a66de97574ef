import EventLog
import Foundation
import TestSupport
import Testing

@testable import RecordStorage
@testable import Storage

/// A kind's columns that change between releases. Its archives are one byte, from which every value follows.
@Suite("Changed columns")
struct RecordColumnTests {
    private let scratch: Scratch
    private let path: String
    private let now = Date(timeIntervalSince1970: 2_000)

    init() throws {
        scratch = try Scratch()
        path = scratch.path("ticks.sqlite")
    }

    private static func kind(_ columns: [RecordColumn]) -> RecordKind {
        RecordKind(name: "tick", plural: "ticks", columns: columns)
    }

    /// The values of an archive; nil for a byte of zero, which no release can read.
    private static func values(_ columns: [RecordColumn], _ archive: Data) -> [RecordValue]? {
        guard let byte = archive.first, byte > 0 else { return nil }
        return columns.map { column in
            switch column.type {
            case .text: .text("\(column.name) \(byte)")
            case .integer: .integer(Int64(byte))
            case .real: .real(Double(byte) / 2)
            case .date: .date(Date(timeIntervalSince1970: Double(byte)))
            }
        }
    }

    private func store(_ columns: [RecordColumn], logger: Logger = .silent) throws -> SQLiteRecordStore {
        try SQLiteRecordStore(kind: Self.kind(columns), path: path, logger: logger) { Self.values(columns, $0) }
    }

    private func record(_ columns: [RecordColumn], _ byte: UInt8) throws -> Record {
        let archive = Data([byte])
        let values = Self.values(columns, archive) ?? Self.values(columns, Data([9])) ?? []
        return Record(key: RecordKey(UUID(), device: UUID()), values: values, archive: archive)
    }

    private static let first: [RecordColumn] = [
        RecordColumn("title", .text), RecordColumn("amount", .integer), RecordColumn("seen", .integer),
    ]

    @Test(
        "Columns that were added, removed, moved or changed are made anew from the archives",
        arguments: [
            [
                RecordColumn("title", .text), RecordColumn("amount", .integer), RecordColumn("seen", .integer),
                RecordColumn("rate", .real),
            ],
            [RecordColumn("amount", .integer), RecordColumn("title", .text)],
            [RecordColumn("title", .integer), RecordColumn("amount", .text), RecordColumn("seen", .integer)],
            [RecordColumn("title", .text), RecordColumn("amount", .integer), RecordColumn("seen", .date)],
            [RecordColumn("seen", .real)], [],
        ])
    func changes(_ columns: [RecordColumn]) throws {
        let former = try store(Self.first)
        let records = try (1...250 as ClosedRange<UInt8>).map { try record(Self.first, $0) }
        _ = try former.insert(records, receivedAt: now)
        #expect(try former.delete(records[0].key, deletedAt: now))
        former.close()

        let present = try store(columns)
        var rows: [StoredRecord] = []
        while true {
            let page = try present.records(after: rows.last?.cursor ?? .start, limit: 100)
            if page.isEmpty { break }
            rows += page
        }
        #expect(rows.map(\.sequence) == Array(2...250))
        #expect(rows.map(\.record.archive) == records.dropFirst().map(\.archive))
        #expect(rows.map(\.record.values) == records.dropFirst().map { Self.values(columns, $0.archive) })
        // What was deleted stays so, and new records follow.
        let repeated = try present.insert(
            [Record(key: records[0].key, values: Self.values(columns, Data([1])) ?? [], archive: Data([1]))],
            receivedAt: now)
        #expect(repeated == [.repeated])
        let next = try present.insert([try record(columns, 7)], receivedAt: now)
        #expect(next == [.stored(sequence: 251)])
        let view = try Database(path: path, migrations: nil).statement("SELECT * FROM readable_ticks")
        #expect(try view.step())
        present.close()

        // And back.
        let back = try store(Self.first)
        let restored = try back.records(after: .start, limit: 1).first?.record.values
        #expect(restored == Self.values(Self.first, Data([2])))
    }

    @Test("The change is logged once, with archives that cannot be read, whose new columns stay empty")
    func log() throws {
        let former = try store(Self.first)
        _ = try former.insert([try record(Self.first, 3), try record(Self.first, 0)], receivedAt: now)
        former.close()
        let log = Collector<LogRecord>()
        let logger = Logger(service: "test") { log.add($0) }
        let columns = [RecordColumn("title", .text), RecordColumn("rate", .real), RecordColumn("name", .text)]
        for _ in 0..<2 {
            let store = try store(columns, logger: logger)
            let rows = try store.records(after: .start, limit: 9).map(\.record.values)
            let wanted: [[RecordValue]] = [
                [.text("title 3"), .real(1.5), .text("name 3")], [.text("title 9"), .real(0), .text("")],
            ]
            #expect(rows == wanted)
            store.close()
        }
        let adjusted = log.all.filter { $0.event == .databaseAdjusted }.map { "\($0)" }
        #expect(adjusted.count == 1, "\(adjusted)")
        let reason = "added: rate, name; removed: amount, seen; 1 archives cannot be read, their new columns are empty"
        #expect(adjusted.first?.contains(reason) == true, "\(adjusted)")
    }

    @Test("Without a reader of archives, other columns are refused and left as they are")
    func refusal() throws {
        let former = try store(Self.first)
        let record = try record(Self.first, 3)
        _ = try former.insert([record], receivedAt: now)
        former.close()
        let error = #expect(throws: StoreError.self) {
            try SQLiteRecordStore(kind: Self.kind([RecordColumn("name", .text)]), path: path).count()
        }
        let text = error?.description ?? ""
        #expect(text.contains("added: name; removed: amount, seen, title"), "\(text)")
        #expect(error?.kind == .refused, "\(text)")
        let rows = try store(Self.first).records(after: .start, limit: 9).map(\.record)
        #expect(rows == [record])
    }

    @Test("Columns that are as they should be are not written again")
    func unchanged() throws {
        let former = try store(Self.first)
        _ = try former.insert([try record(Self.first, 3)], receivedAt: now)
        former.close()
        func version() throws -> Int64 {
            try Database(path: path, migrations: nil).number("PRAGMA schema_version")
        }
        let before = try version()
        _ = try store(Self.first).count()
        let after = try version()
        #expect(after == before)
    }
}
