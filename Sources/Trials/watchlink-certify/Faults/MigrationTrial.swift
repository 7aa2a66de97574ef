import DatabaseServers
import Foundation
import Glibc
import Locking
import PostgreSQLRules
import PostgreSQLStorage
import Processes
import RecordStorage

/// A file's records that are copied into a server and back, while the file's host stores more and the server is killed.
final class MigrationTrial: Sendable {
    /// The batches of three records in the file before the migration. 1,000: some seconds of copying.
    private static let batches = 1_000
    /// The records of them that are changed, and as many that are deleted.
    private static let changed = 40
    /// The kills of the server meanwhile.
    private static let kills = 3

    private let server: LocalServer
    private let table: FaultTable
    private let isOver = Mutex(false)
    private let failures = Mutex<[String]>([])
    private let end = DispatchSemaphore(value: 0)

    init(_ server: LocalServer) {
        self.server = server
        table = FaultTable("migration", server)
    }

    /// - Returns: The number of records that were in the server, as psql counted them.
    func run() throws -> Int {
        let file = try SQLiteRecordStore(kind: table.kind, path: "\(server.scratch.path)/migration.sqlite")
        try fill(file)
        let shared = try table.store(server.url, host: "migrating")
        background { [self] in try store(in: file) }
        background { [self] in try killServer() }
        // A kill that outlasts the patience ends a migration; the operator runs it again.
        while try !attempt(from: file, to: shared) {}
        isOver.withLock { $0 = true }
        for _ in 0..<2 { end.wait() }
        if let failure = failures.withLock({ $0.first }) { throw FaultFailure(failure) }
        let count = try expectAll(from: file, to: shared)
        try expectRows(count)
        let back = try SQLiteRecordStore(kind: table.kind, path: "\(server.scratch.path)/back.sqlite")
        guard try expectAll(from: shared, to: back) == count, try back.problems().isEmpty else {
            throw FaultFailure("the way back has \(try back.count()) of \(count) records")
        }
        try expectSame(file, back)
        return count
    }

    private func fill(_ store: SQLiteRecordStore) throws {
        for number in 1...Self.batches { _ = try FaultTable.insert(number, into: store) }
        for number in 1...Self.changed {
            let (changed, deleted) = (FaultTable.batch(number)[0].record, FaultTable.batch(number)[1].record)
            let time = Date(timeIntervalSince1970: 1_770_000_000)
            let new = Record(key: changed.key, values: changed.values, archive: Data("changed \(number)".utf8))
            guard try store.update(new, updatedAt: time), try store.delete(deleted.key, deletedAt: time) else {
                throw FaultFailure("record \(number) could not be changed or deleted")
            }
        }
    }

    private func background(_ body: @escaping @Sendable () throws -> Void) {
        Thread.detachNewThread { [self] in
            do { try body() } catch { failures.withLock { $0.append("\(error)") } }
            end.signal()
        }
    }

    /// Stores more, as the host does meanwhile.
    private func store(in store: SQLiteRecordStore) throws {
        var number = Self.batches
        while !isOver.withLock({ $0 }) {
            number += 1
            _ = try FaultTable.insert(number, into: store)
            // 20 ms: as busy as ten watches with a file every second time. A migration catches up with less than it copies.
            usleep(20_000)
        }
    }

    private func killServer() throws {
        for number in 0..<Self.kills where !isOver.withLock({ $0 }) {
            usleep(.random(in: 50_000...400_000))
            try server.end(by: number.isMultiple(of: 2) ? SIGKILL : SIGQUIT)
            try server.start()
        }
    }

    /// Returns false if a store was out of reach for too long.
    private func attempt(from source: any RecordStore, to target: any RecordStore) throws -> Bool {
        var migration = RecordMigration(from: source, to: target)
        let report: RecordMigrationReport
        do throws(StoreError) {
            report = try migration.run()
        } catch {
            guard error.kind == .unavailable else { throw error }
            return false
        }
        guard report.conflicts.isEmpty else { throw FaultFailure("conflicts: \(report)") }
        return true
    }

    /// Migrates what is left, and returns the number of records, all of which were read back.
    private func expectAll(from source: any RecordStore, to target: any RecordStore) throws -> Int {
        var migration = RecordMigration(from: source, to: target)
        let report = try migration.run()
        let counts = [report.verified, report.inSource, report.inTarget]
        guard report.isComplete, Set(counts).count == 1 else { throw FaultFailure("not complete: \(report)") }
        return report.verified
    }

    /// Counts from outside, with psql: records, changed ones, and traces of deleted ones.
    private func expectRows(_ count: Int) throws {
        let found = try server.query(
            """
            SELECT count(*) FILTER (WHERE deleted_at IS NULL), count(updated_at),
                count(*) FILTER (WHERE deleted_at IS NOT NULL),
                \(FaultTable.hostsCount(table.kind.plural))
            FROM \(table.kind.plural)
            """)
        guard found == "\(count)|\(Self.changed)|\(Self.changed)|\(count)" else {
            throw FaultFailure(
                "psql counts records|changed|deleted|the host's number as \(found); \(count) were copied")
        }
    }

    /// Expects the same records and traces in two files.
    private func expectSame(_ first: SQLiteRecordStore, _ second: SQLiteRecordStore) throws {
        let traces = try [first, second].map { Set(try $0.deletions(after: nil, limit: 1_000)) }
        guard traces[0] == traces[1], traces[0].count == Self.changed else {
            throw FaultFailure("\(traces[0].count) records were deleted, and \(traces[1].count) came back so")
        }
        var last = RecordCursor.start
        while true {
            let page = try first.records(after: last, limit: 500)
            guard let end = page.last?.cursor else { return }
            let keys = page.map(\.record.key)
            guard try first.states(of: keys) == second.states(of: keys) else {
                throw FaultFailure("records after \(last) came back with other bytes")
            }
            for row in page {
                let copy = try second.records(identifier: row.record.key.identifier).first
                guard copy?.receivedAt == row.receivedAt, copy?.record.file == row.record.file else {
                    throw FaultFailure("\(row.record.key) came back with another time of arrival, or another file")
                }
                guard let file = row.record.file else { continue }
                guard let content = try first.content(of: file), try second.content(of: file) == content else {
                    throw FaultFailure("the file of \(row.record.key) came back with other bytes, or not at all")
                }
            }
            last = end
        }
    }
}
