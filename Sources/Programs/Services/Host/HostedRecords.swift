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
    /// The path of the file, or the URL of the server.
    private let place: String
    private let store: any RecordStore
    /// The same store, if it is in a server.
    private let server: ServerStore?
    private let methods: RecordMethods
    private let keeper: RetentionService
    private let usage: UsageRecorder
    private let logger: Logger
    private let count: StoreObserver<Int>
    private let latest: StoreObserver<[StoredRecord]>

    init(of application: RecordApplication, _ settings: ServiceSettings, logger: Logger) throws {
        self.application = application
        self.logger = logger
        usage = UsageRecorder(isOn: settings.countsUsage)
        let file: SQLiteRecordStore?
        if let server = settings.database.server {
            let own = try ServerStore(of: application.kind, server, logger: logger)
            (place, store, file, self.server) = (own.url, own, nil, own)
        } else {
            place = settings.database(of: application)
            let own = try SQLiteRecordStore(
                kind: application.kind, path: place, logger: logger, values: { application.values(of: $0) })
            (store, file, self.server) = (own, own, nil)
        }
        let observed = ObservedRecordStore(store)
        receiver = RecordReceiver(of: application, store: observed, logger: logger, usage: usage)
        methods = RecordMethods(
            of: application, store: observed, maintenance: file,
            others: OtherStore(
                application: application, own: place, host: settings.device.device.identifier.uuidString,
                logger: logger),
            logger: logger)
        keeper = RetentionService(
            of: application, store: observed, retention: settings.retention, logger: logger)
        count = .count(of: observed)
        latest = .history(of: observed)
    }

    /// Opens the store.
    func open() throws(StoreError) {
        let count = try store.count()
        try store.removeUnclaimedFiles(at: Date())
        logger.log(.databaseOpened, [.path(place), .count(count)])
    }

    func start() { keeper.start() }

    func keep(_ retention: Retention) { keeper.keep(retention) }

    func close() { store.close() }

    /// Begins to answer a request beside others, if it is of that kind.
    func begins(_ method: String, _ params: JSONValue, _ respond: @escaping ControlServer.Respond) -> Bool {
        guard method == "\(application.kind.plural).import" else { return false }
        methods.beginImport(params, respond)
        return true
    }

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
        let server = server?.status()
        var status: [String: JSONValue] = server.map { ["databaseServer": $0.server] } ?? [:]
        do throws(StoreError) {
            // The observers' values may be older than the state of the file; other hosts change a server.
            if server == nil { try store.look() }
            let records = if let server { try server.records.get() } else { try count.value() }
            status[plural] = .integer(Int64(records))
            status["latest"] = try latest.value().first.map { .string($0.record.key.identifier.uuidString) } ?? .null
            status["\(plural)HeldBack"] = .integer(Int64(keeper.heldBack))
            status["database"] = "available"
        } catch {
            status["database"] = .string("\(error)")
        }
        return status
    }
}
