import Configuration
import EventLog
import Foundation
import PostgreSQLRules
import PostgreSQLStorage
import RecordSync
import Storage

/// A store in a server, which logs when the server is lost and found again, as a database in a file does.
final class ServerStore: RecordStore {
    private let store: any ServerRecordStore
    let url: String
    private let settings: PostgreSQLSettings
    private let logger: Logger

    /// - Throws: ``RecordStorage/StoreError`` if this program was built without PostgreSQL, or a name cannot be that of
    ///   a table.
    init(of kind: RecordKind, _ settings: PostgreSQLSettings, logger: Logger) throws(StoreError) {
        let url = settings.address.url
        self.url = url
        self.settings = settings
        self.logger = logger
        store = try SharedStore.store(kind: kind, settings: settings) { notice in
            switch notice {
            case .connected(let server, let isPooled):
                ServerHealth.process.connected(kind.plural)
                logger.log(.databaseConnected, [.path(server), .reason(isPooled ? "through a pooler" : "directly")])
            case .lost(let reason):
                ServerHealth.process.lost(kind.plural)
                logger.log(.databaseConnectionLost, [.path(url), .reason(reason)])
            case .wentBack:
                logger.log(.databaseWentBack, [.path(url), .reason(notice.description)])
            }
        }
    }

    var kind: RecordKind { store.kind }

    func insert(_ arrivals: [RecordArrival]) throws(StoreError) -> [InsertOutcome] {
        try use { store throws(StoreError) in try store.insert(arrivals) }
    }

    func receivedArchive(_ key: RecordKey) throws(StoreError) -> Data? {
        try use { store throws(StoreError) in try store.receivedArchive(key) }
    }

    func update(_ record: Record, updatedAt: Date) throws(StoreError) -> Bool {
        try use { store throws(StoreError) in try store.update(record, updatedAt: updatedAt) }
    }

    func delete(_ key: RecordKey, deletedAt: Date) throws(StoreError) -> Bool {
        try use { store throws(StoreError) in try store.delete(key, deletedAt: deletedAt) }
    }

    func delete(_ deletions: [RecordDeletion]) throws(StoreError) -> Int {
        try use { store throws(StoreError) in try store.delete(deletions) }
    }

    func deletions(after key: RecordKey?, limit: Int) throws(StoreError) -> [RecordDeletion] {
        try use { store throws(StoreError) in try store.deletions(after: key, limit: limit) }
    }

    func states(of keys: [RecordKey]) throws(StoreError) -> [RecordState] {
        try use { store throws(StoreError) in try store.states(of: keys) }
    }

    func expire(receivedBefore time: Date?, keeping count: Int?, limit: Int) throws(StoreError) -> [RecordKey] {
        try use { store throws(StoreError) in
            try store.expire(receivedBefore: time, keeping: count, limit: limit)
        }
    }

    func records(identifier: UUID) throws(StoreError) -> [StoredRecord] {
        try use { store throws(StoreError) in try store.records(identifier: identifier) }
    }

    func records(after cursor: RecordCursor, limit: Int) throws(StoreError) -> [StoredRecord] {
        try use { store throws(StoreError) in try store.records(after: cursor, limit: limit) }
    }

    func latestRecords(limit: Int) throws(StoreError) -> [StoredRecord] {
        try use { store throws(StoreError) in try store.latestRecords(limit: limit) }
    }

    func count() throws(StoreError) -> Int { try use { store throws(StoreError) in try store.count() } }

    func ages(before time: Date) throws(StoreError) -> RecordAges {
        try use { store throws(StoreError) in try store.ages(before: time) }
    }

    var keepsFiles: Bool { store.keepsFiles }

    func keep(_ content: Data, at time: Date) throws(StoreError) -> Data {
        try use { store throws(StoreError) in try store.keep(content, at: time) }
    }

    func claim(_ files: Set<Data>, at time: Date) throws(StoreError) -> Set<Data> {
        try use { store throws(StoreError) in try store.claim(files, at: time) }
    }

    func content(of file: Data) throws(StoreError) -> Data? {
        try use { store throws(StoreError) in try store.content(of: file) }
    }

    func removeUnclaimedFiles(at time: Date) throws(StoreError) -> Int {
        try use { store throws(StoreError) in try store.removeUnclaimedFiles(at: time) }
    }

    func look() throws(StoreError) { try use { store throws(StoreError) in try store.look() } }

    func close() { store.close() }

    /// The number of records of all hosts, and the state of the server for a status.
    func status() -> (records: Result<Int, StoreError>, server: JSONValue) {
        let report = Result { () throws(StoreError) in
            try use { store throws(StoreError) in try store.report() }
        }
        return (
            report.map { Int($0.records) }, ServerStatus.json(report, application: kind.plural, settings: settings)
        )
    }

    /// Logs the first failure and the recovery: callers retry soon.
    private func use<Result>(
        _ body: (any ServerRecordStore) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let start = ContinuousClock.now
        func note(isSuccess: Bool) -> Bool {
            ServerHealth.process.used(
                kind.plural, isSuccess: isSuccess, seconds: (ContinuousClock.now - start) / .seconds(1))
        }
        do throws(StoreError) {
            let result = try body(store)
            if note(isSuccess: true) { logger.log(.databaseRecovered, [.path(url)]) }
            return result
        } catch {
            if note(isSuccess: false) { logger.log(.databaseUnavailable, [.error(error)]) }
            throw error
        }
    }
}
