public import Configuration
public import ControlSocket
public import EventLog
import Foundation
public import RecordSync

/// The control methods of a host's records of one application: “quizzes.list”. The host answers them, or the command
/// line does while the host is not running.
public final class RecordMethods: Sendable {
    /// The most records in one answer. 500: half a megabyte of quizzes of the usual size.
    public static let pageSize = 500

    /// The most problems that a verification lists. 1,000: more add nothing.
    static let shownProblems = 1_000

    let application: RecordApplication
    let form: RecordForm
    let store: any RecordStore
    let maintenance: (any EmbeddedStore)?
    let logger: Logger
    let tasks = MaintenanceQueue()
    let imports = ImportQueue()
    let isAlone: Bool
    /// Opens the other store of a migration; nil without a host that migrates.
    let others: OtherStore?
    /// True if the records are in a file of this host's own.
    var isMaintained: Bool { maintenance != nil }

    /// Creates the methods.
    ///
    /// - Parameters:
    ///   - application: The application of the records.
    ///   - store: The store, which reports changes to its observers.
    ///   - maintenance: The same store, for its maintenance; nil for one that others maintain.
    ///   - logger: Logs the changes.
    ///   - isAlone: True if nothing else uses the store, as when the host is not running.
    public convenience init(
        of application: RecordApplication, store: any RecordStore, maintenance: (any EmbeddedStore)?, logger: Logger,
        isAlone: Bool = false
    ) {
        self.init(
            of: application, store: store, maintenance: maintenance, others: nil, logger: logger, isAlone: isAlone)
    }

    /// Creates the methods of a host, which can also migrate.
    init(
        of application: RecordApplication, store: any RecordStore, maintenance: (any EmbeddedStore)?,
        others: OtherStore?, logger: Logger, isAlone: Bool = false
    ) {
        self.application = application
        form = RecordForm(application: application)
        self.isAlone = isAlone
        self.store = store
        self.maintenance = maintenance
        self.others = others
        self.logger = logger
    }

    /// Answers a request; nil for a method of another application, and an error for an unknown one.
    public func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError>? {
        guard let dot = method.firstIndex(of: "."), method[..<dot] == application.kind.plural else { return nil }
        let action = String(method[method.index(after: dot)...])
        switch action {
        case "backup", "verify", "vacuum", "migrate": return maintain(action, params)
        case "task": return tasks.look(params)
        default: break
        }
        return answering { () throws in
            switch action {
            case "count": .integer(Int64(try store.count()))
            case "list": try page(params, .summary)
            case "export": try export(params)
            case "file": try writeFile(params)
            case "show": form.shown(try one(params))
            case "delete": try delete(params)
            case "update": try update(params)
            case "import": try importAll(params)
            default: throw ControlError.unknown(method: method)
            }
        }
    }

    /// Converts errors to answers for the client.
    func answering(_ body: () throws -> JSONValue) -> Result<JSONValue, ControlError> {
        do {
            return .success(try body())
        } catch let error as ControlError {
            return .failure(error)
        } catch let error as PayloadError {
            return .failure(ControlError(ControlError.refused, application.kind.text(error)))
        } catch {
            return .failure(ControlError(ControlError.unavailable, "\(error)"))
        }
    }

    /// Returns a page of records: as values, or as the text that “rows” asks for.
    ///
    /// - Parameter prepare: Called with each record before.
    func page(
        _ params: JSONValue, _ extent: RecordForm.Extent, _ prepare: (StoredRecord) throws -> Void = { _ in }
    ) throws -> JSONValue {
        let limit = min(Int(params["limit"]?.integer ?? Int64(Self.pageSize)), Self.pageSize)
        guard let cursor = params["cursor"] else {
            // Clients of earlier versions go on after a sequence number, which is the cursor of a store with one host.
            let after = params["after"]?.integer.map { RecordCursor(rawValue: "\($0)") } ?? .start
            let records = try store.records(after: after, limit: max(1, limit))
            try records.forEach(prepare)
            return .array(records.map { form.value($0, extent) })
        }
        guard let text = cursor.string else {
            throw ControlError(
                ControlError.invalidParams, "“cursor” must be a text: “next” of the page before, or empty")
        }
        let records = try store.records(after: RecordCursor(rawValue: text), limit: max(1, limit))
        try records.forEach(prepare)
        var page =
            try RowText.isWanted(params)
            ? RowText.fields(of: records, application.kind.plural) { try form.write($0, extent, to: &$1) }
            : [application.kind.plural: .array(records.map { form.value($0, extent) })]
        page["next"] = records.last.map { .string($0.cursor.rawValue) } ?? .null
        return .object(page)
    }

    private func delete(_ params: JSONValue) throws -> JSONValue {
        let stored = try one(params)
        let key = stored.record.key
        guard try store.delete(key, deletedAt: Date()) else { throw missing(key.identifier) }
        logger.log(application.events.deleted, [.package(key.identifier), .device(key.device)])
        return form.summary(stored)
    }

    private func update(_ params: JSONValue) throws -> JSONValue {
        let stored = try one(params)
        let key = stored.record.key
        var document = params[application.kind.name] ?? .null
        // The identifier may be left out: it is that of the record.
        if case .object(var fields) = document, fields["identifier"] == nil {
            fields["identifier"] = .string(key.identifier.uuidString)
            document = .object(fields)
        }
        let changed = try application.decoded(fromDocument: Data(try document.text().utf8))
        guard changed.identifier == key.identifier else {
            let name = application.kind.name
            throw PayloadError.invalid(
                field: "identifier", reason: "is another \(name)'s; leave it out or give this \(name)'s")
        }
        try checkFile(of: changed, as: stored)
        guard try store.update(application.record(changed, device: key.device), updatedAt: Date()) else {
            throw missing(key.identifier)
        }
        logger.log(application.events.updated, [.package(key.identifier), .device(key.device)])
        return form.whole(try one(params))
    }

    /// Returns the record that a request names, by identifier and, if several devices used that identifier, by device.
    func one(_ params: JSONValue) throws -> StoredRecord {
        guard let text = params["identifier"]?.string, let identifier = UUID(uuidString: text) else {
            throw ControlError(
                ControlError.invalidParams, "“identifier” must be a UUID like 9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60")
        }
        var found = try store.records(identifier: identifier)
        if let device = params["device"]?.string {
            found.removeAll { $0.record.key.device.uuidString != device.uppercased() }
        }
        guard let first = found.first else { throw missing(identifier) }
        guard found.count == 1 else {
            let devices = found.map(\.record.key.device.uuidString).joined(separator: ", ")
            throw ControlError(
                ControlError.invalidParams,
                "several devices sent \(application.kind.withArticle) with this identifier; name one with “device”: "
                    + devices)
        }
        return first
    }

    private func missing(_ identifier: UUID) -> ControlError {
        ControlError(
            ControlError.notFound,
            "\(application.kind.name) \(identifier) does not exist; “watchlink \(application.command) list” shows all")
    }
}
