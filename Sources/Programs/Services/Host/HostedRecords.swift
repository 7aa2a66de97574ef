import Configuration
import ControlSocket
import EventLog
import Foundation
import Metrics
import RecordSync
import Storage

/// A host's records of one application: their store, their receiver, their control methods and their retention.
final class HostedRecords: Sendable {
    let application: RecordApplication
    let receiver: RecordReceiver
    private let path: String
    private let file: SQLiteRecordStore
    private let methods: RecordMethods
    private let keeper: RetentionService
    private let usage: UsageRecorder
    private let logger: Logger
    private let count: StoreObserver<Int>
    private let latest: StoreObserver<[StoredRecord]>

    init(of application: RecordApplication, _ settings: ServiceSettings, logger: Logger) throws {
        self.application = application
        self.logger = logger
        path = settings.database(of: application)
        usage = UsageRecorder(isOn: settings.countsUsage)
        file = try SQLiteRecordStore(kind: application.kind, path: path, logger: logger)
        let store = ObservedRecordStore(file)
        receiver = RecordReceiver(of: application, store: store, logger: logger, usage: usage)
        methods = RecordMethods(of: application, store: store, maintenance: file, logger: logger)
        keeper = RetentionService(
            of: application, store: store, retention: settings.retention, logger: logger)
        count = .count(of: store)
        latest = .history(of: store)
    }

    /// Opens the store.
    func open() throws(StoreError) {
        let count = try file.count()
        logger.log(.databaseOpened, [.path(path), .count(count)])
    }

    func start() { keeper.start() }

    func keep(_ retention: Retention) { keeper.keep(retention) }

    func close() { file.close() }

    /// Answers a request; nil for a method of another application.
    func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError>? {
        let plural = application.kind.plural
        switch method {
        case "\(plural).expire": return expire(params)
        case "\(plural).list":
            usage.record(.historyOpened)
            return usage.time(.history) { methods.answer(method, params) }
        default: return methods.answer(method, params)
        }
    }

    /// Removes expired records; the total is not known in advance.
    private func expire(_ params: JSONValue) -> Result<JSONValue, ControlError> {
        methods.tasks.answer("expire", params) { [keeper] progress in
            do throws(StoreError) {
                let removed = try keeper.expireConfirmed { progress($0, 0) }
                return .success(["removed": .integer(Int64(removed))])
            } catch {
                return .failure(ControlError(ControlError.unavailable, "\(error)"))
            }
        }
    }

    /// The state of the records and of their store.
    var status: [String: JSONValue] {
        let plural = application.kind.plural
        do throws(StoreError) {
            // The observers' values may be older than the state of the file.
            try file.look()
            return [
                plural: .integer(Int64(try count.value())),
                "latest": try latest.value().first.map { .string($0.record.key.identifier.uuidString) } ?? .null,
                "\(plural)HeldBack": .integer(Int64(keeper.heldBack)),
                "database": "available",
            ]
        } catch {
            return ["database": .string("\(error)")]
        }
    }
}
