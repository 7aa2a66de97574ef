import DatabaseServers
import Files
import Foundation
import PostgreSQLRules
import PostgreSQLStorage
import RecordStorage

/// The table that faults try to break, with the records that belong into it.
struct FaultTable {
    let kind: RecordKind
    let server: LocalServer

    init(_ name: String, _ server: LocalServer) {
        kind = Self.kind(Certification.token() + name)
        self.server = server
    }

    static func kind(_ plural: String) -> RecordKind {
        RecordKind(
            name: "sample", plural: plural, columns: [RecordColumn("title", .text), RecordColumn("amount", .integer)],
            keepsFiles: true)
    }

    /// Returns the store, through some sockets, as a host.
    ///
    /// - Parameter limit: The longest time for a statement; short where an answer is expected never to come.
    func store(
        _ url: String, host: String, limit: Duration = .seconds(5), patience: Duration = .seconds(30)
    ) throws -> any RecordStore {
        var settings = try PostgreSQLSettings(address: ServerAddress(url), host: host)
        (settings.statementLimit, settings.patience) = (limit, patience)
        settings.connectionLimit = min(settings.connectionLimit, limit)
        return try SharedStore.store(kind: kind, settings: settings)
    }

    /// Returns a batch of records that no other number has. The first record of every other batch has a file, the same
    /// for all hosts.
    static func batch(_ number: Int, host: Int = 0, count: Int = 3) -> [RecordArrival] {
        (0..<count).map { place in
            var bytes: uuid_t = (9, 9, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, 0)
            withUnsafeMutableBytes(of: &bytes) { bytes in
                bytes[2] = UInt8(truncatingIfNeeded: host)
                bytes[3] = UInt8(truncatingIfNeeded: place)
                for byte in 0..<6 { bytes[15 - byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
            }
            return RecordArrival(
                Record(
                    key: RecordKey(UUID(uuid: bytes), device: UUID(uuid: bytes)),
                    values: [.text("sample \(number)"), .integer(Int64(place))],
                    archive: Data("archive \(host) \(number) \(place)".utf8),
                    file: place == 0 && hasFile(number) ? ContentDigest.of(fileContent(number)) : nil),
                receivedAt: Date(timeIntervalSince1970: 1_760_000_000 + Double(number)))
        }
    }

    private static func hasFile(_ number: Int) -> Bool { number.isMultiple(of: 2) }

    /// The content of the file of a batch: some pages of a server's.
    private static func fileContent(_ number: Int) -> Data {
        Data(String(repeating: "the file of \(number) ", count: 200).utf8)
    }

    /// Keeps the files of a batch, and then inserts it.
    static func insert(
        _ number: Int, host: Int = 0, count: Int = 3, into store: any RecordStore
    ) throws(StoreError) -> [InsertOutcome] {
        let batch = batch(number, host: host, count: count)
        if hasFile(number) { try store.keep(fileContent(number), at: batch[0].receivedAt) }
        return try store.insert(batch)
    }

    /// Counts from outside, with psql: rows, different keys, and the hosts' own numbers of records; files of records, and
    /// those that no longer wait for one.
    func expect(_ count: Int) throws {
        let found = try server.query(
            """
            SELECT count(*), count(DISTINCT (identifier, device)), \(Self.hostsCount(kind.plural)),
                count(DISTINCT _file) = (SELECT count(*) FROM files_\(kind.plural) WHERE is_claimed)
            FROM \(kind.plural)
            """)
        guard found == "\(count)|\(count)|\(count)|t" else {
            throw FaultFailure(
                "psql counts rows|keys|records|“each file is claimed” as \(found), and \(count) were stored")
        }
    }

    /// Expects that neither rows nor the hosts' numbers tell of records.
    func expectNone() throws {
        let found = try server.query("SELECT (SELECT count(*) FROM \(kind.plural)), \(Self.hostsCount(kind.plural))")
        guard found == "0|0" else { throw FaultFailure("psql counts rows|records as \(found), and all were deleted") }
    }

    /// The SQL for the number of records as the rows of their hosts tell it, written anew: not the store's own.
    static func hostsCount(_ plural: String) -> String {
        """
        (SELECT sum(w.records + (SELECT count(*) FROM generate_series(w.settled + 1,
            (SELECT max(sequence) FROM \(plural) WHERE host = w.number))))
        FROM watchlink_writers w WHERE w.kind = '\(plural)')
        """
    }

    /// Expects that batches are completely there, once.
    static func expectThere(_ numbers: ClosedRange<Int>, host: Int = 0, in store: any RecordStore) throws {
        // 300 batches at once: one statement of some 100 KB.
        for first in stride(from: numbers.lowerBound, through: numbers.upperBound, by: 300) {
            let some = first...min(first + 299, numbers.upperBound)
            try expectThere(some.flatMap { batch($0, host: host) }, in: store)
            for number in some where hasFile(number) { try expectFile(number, in: store) }
        }
    }

    /// Expects that the file of a batch is there.
    private static func expectFile(_ number: Int, in store: any RecordStore) throws {
        let content = fileContent(number)
        guard let found = try store.content(of: ContentDigest.of(content)), found == content else {
            throw FaultFailure("the file of batch \(number) is missing, or has other bytes")
        }
    }

    /// Expects that a batch is completely there, once, by inserting it again.
    private static func expectThere(_ batch: [RecordArrival], in store: any RecordStore) throws {
        let outcomes = try store.insert(batch)
        guard outcomes == batch.map({ _ in .repeated }) else {
            let others = Set(outcomes.filter { $0 != .repeated }.map { "\($0)" }).sorted()
            throw FaultFailure("inserting again what was confirmed gives \(others.prefix(5))")
        }
    }
}

/// A promise that did not survive a fault.
struct FaultFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
