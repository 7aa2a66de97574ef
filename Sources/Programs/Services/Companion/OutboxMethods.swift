public import Configuration
public import ControlSocket
public import EventLog
public import Foundation
public import RecordSync

/// The control methods of a companion's outbox. The companion answers them, or the command line does while the
/// companion is not running.
public final class OutboxMethods: Sendable {
    /// The most entries in one answer. 500: half a megabyte of lines.
    private static let pageSize = 500
    /// The most identifiers in one request. 10,000: far below the longest request.
    private static let identifiers = 10_000

    /// Resends permanently failed payloads, all of them if nil is given; returns those that were queued.
    public typealias Retry = @Sendable ([UUID]?) throws -> [UUID]

    private let form: RecordForm
    private let store: OutboxStore
    private let logger: Logger
    private let retry: Retry

    /// Creates the methods.
    ///
    /// - Parameters:
    ///   - application: The application of the outbox.
    ///   - store: The outbox.
    ///   - logger: Logs the changes.
    ///   - retry: The retry of a running companion; nil if none is running, so that the next one sends the payloads.
    public init(of application: RecordApplication, store: OutboxStore, logger: Logger, retry: Retry? = nil) {
        form = RecordForm(application: application)
        self.store = store
        self.logger = logger
        self.retry = retry ?? { identifiers in try store.retry(identifiers).map(\.identifier) }
    }

    /// Answers a request; nil for a method that does not concern the outbox.
    public func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError>? {
        do {
            switch method {
            case "outbox.list": return .success(try list(params))
            case "outbox.show": return .success(try show(params))
            case "outbox.retry": return .success(try retry(params))
            case "outbox.drop": return .success(try drop(params))
            default: return nil
            }
        } catch let error as ControlError {
            return .failure(error)
        } catch {
            return .failure(ControlError(ControlError.unavailable, "\(error)"))
        }
    }

    private func list(_ params: JSONValue) throws -> JSONValue {
        let limit = max(1, min(Int(params["limit"]?.integer ?? Int64(Self.pageSize)), Self.pageSize))
        return .array(try store.open(after: params["after"]?.integer ?? 0, limit: limit).map { .object(Self.row($0)) })
    }

    private func show(_ params: JSONValue) throws -> JSONValue {
        guard let identifier = try params.uuid("identifier") else {
            throw ControlError(ControlError.invalidParams, "“identifier” must be a UUID")
        }
        guard let entry = try store.entry(identifier), let archive = try store.archive(identifier) else {
            throw missing(identifier)
        }
        var row = Self.row(entry)
        do {
            row[form.application.kind.name] = try form.document(of: archive)
        } catch {
            // An unreadable archive is shown with the known columns.
            row["archiveError"] = .string((error as? PayloadError).map(form.application.kind.text) ?? "\(error)")
        }
        return .object(row)
    }

    private func retry(_ params: JSONValue) throws -> JSONValue {
        let named = try identifiers(params)
        let retried = try retry(named)
        for identifier in retried { logger.log(form.application.events.retried, [.package(identifier)]) }
        return try outcome(named, retried)
    }

    private func drop(_ params: JSONValue) throws -> JSONValue {
        guard let named = try identifiers(params) else {
            throw ControlError(
                ControlError.invalidParams, "“identifiers” must name the \(form.application.kind.plural) to drop")
        }
        let dropped = try store.drop(named)
        for identifier in dropped { logger.log(form.application.events.dropped, [.package(identifier)]) }
        return try outcome(named, dropped)
    }

    /// Returns the identifiers of a request; nil for all.
    private func identifiers(_ params: JSONValue) throws(ControlError) -> [UUID]? {
        guard params["all"]?.boolean != true else { return nil }
        let texts = params["identifiers"]?.array ?? []
        guard !texts.isEmpty, texts.count <= Self.identifiers else {
            throw ControlError(
                ControlError.invalidParams,
                "“identifiers” must be a list of 1 to \(Self.identifiers) UUIDs, or “all” true")
        }
        var identifiers: [UUID] = []
        for text in texts {
            guard let identifier = text.string.flatMap(UUID.init(uuidString:)) else {
                throw ControlError(ControlError.invalidParams, "“identifiers”: \(text) is not a UUID")
            }
            identifiers.append(identifier)
        }
        return identifiers
    }

    /// Returns the identifiers that were changed, and for each of the others the reason why not.
    private func outcome(_ named: [UUID]?, _ done: [UUID]) throws -> JSONValue {
        let isDone = Set(done)
        var others: [JSONValue] = []
        for identifier in named ?? [] where !isDone.contains(identifier) {
            let reason = try store.entry(identifier).map { "it has not failed; its state is \($0.state.rawValue)" }
            others.append(
                .object([
                    "identifier": .string(identifier.uuidString),
                    "reason": .string(reason ?? missing(identifier).message),
                ]))
        }
        return .object([
            "identifiers": .array(done.map { .string($0.uuidString) }), "others": .array(others),
        ])
    }

    private func missing(_ identifier: UUID) -> ControlError {
        ControlError(
            ControlError.notFound,
            "\(form.application.kind.name) \(identifier) is not in the outbox; “watchlink outbox list” shows its \(form.application.kind.plural)"
        )
    }

    private static func row(_ entry: OutboxEntry) -> [String: JSONValue] {
        [
            "identifier": .string(entry.identifier.uuidString),
            "position": .integer(entry.position),
            "state": .string(entry.state.rawValue),
            "reason": entry.reason.map(JSONValue.string) ?? .null,
            "acceptedAt": .string(TimeText.text(entry.acceptedAt)),
            "settledAt": entry.settledAt.map { .string(TimeText.text($0)) } ?? .null,
        ]
    }
}
