import DatabaseServers
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
            name: "sample", plural: plural, columns: [RecordColumn("title", .text), RecordColumn("amount", .integer)])
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

    /// Returns a batch of records that no other number has.
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
                    archive: Data("archive \(host) \(number) \(place)".utf8)),
                receivedAt: Date(timeIntervalSince1970: 1_760_000_000 + Double(number)))
        }
    }

    /// Counts from outside, with psql: rows, different keys, and the hosts' own numbers of records.
    func expect(_ count: Int) throws {
        let found = try server.query(
            """
            SELECT count(*), count(DISTINCT (identifier, device)),
                \(Self.hostsCount(kind.plural)) FROM \(kind.plural)
            """)
        guard found == "\(count)|\(count)|\(count)" else {
            throw FaultFailure("psql counts rows|keys|records as \(found), and \(count) were stored")
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
        }
    }

    /// Expects that a batch is completely there, once, by inserting it again.
    static func expectThere(_ batch: [RecordArrival], in store: any RecordStore) throws {
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
