import Configuration
import ControlSocket
import EventLog
import Foundation
import Metrics
import RecordSync

/// A companion's outbox of one application, with its control methods.
final class AppliedOutbox: Sendable {
    /// The number of failed payloads shown in a status.
    private static let shownFailures = 20
    /// The longest wait of a request, in seconds. An hour.
    private static let longestWait = 3_600.0

    let application: RecordApplication
    let outbox: Outbox
    let methods: OutboxMethods
    private let logger: Logger

    init(of application: RecordApplication, _ settings: ServiceSettings, session: WCSession, logger: Logger) {
        self.application = application
        self.logger = logger
        let store = OutboxStore(
            path: settings.database(of: application), logger: logger, keepsFiles: application.hasFiles)
        let outbox = Outbox(
            of: application, store: store, session: session, logger: logger, backoff: settings.outboxBackoff,
            usage: UsageRecorder(isOn: settings.countsUsage))
        self.outbox = outbox
        methods = OutboxMethods(of: application, store: store, logger: logger) { try outbox.retry($0) }
        let plural = application.kind.plural
        MetricRegistry.process.gauge(
            "watchlink_outbox_\(plural)",
            help: "\(plural.prefix(1).uppercased() + plural.dropFirst()) in the outbox, by state."
        ) {
            // An unavailable database is already in the log; then there is no number.
            guard let counts = try? outbox.counts() else { return [] }
            return OutboxEntry.State.allCases.map { ([("state", $0.rawValue)], Double(counts[$0] ?? 0)) }
        }
    }

    /// The state of the outbox and of its database.
    var status: [String: JSONValue] {
        do throws(StoreError) {
            let counts = try outbox.counts()
            return [
                "outbox": .object(
                    Dictionary(
                        uniqueKeysWithValues: OutboxEntry.State.allCases.map {
                            ($0.rawValue, JSONValue.integer(Int64(counts[$0] ?? 0)))
                        })),
                "failed": .array(
                    try outbox.failed(limit: Self.shownFailures).map { entry in
                        .object([
                            "identifier": .string(entry.identifier.uuidString),
                            "reason": .string(entry.reason ?? "unknown"),
                        ])
                    }),
                "waitingReason": outbox.waitingReason.map(JSONValue.string) ?? .null,
                "database": "available",
            ]
        } catch {
            return ["database": .string("\(error)")]
        }
    }

    // MARK: - Submitting

    /// Returns one result for each payload, in order; an invalid one does not block the others.
    ///
    /// - Parameter file: The absolute path of the file that belongs to the only payload; nil for none.
    func submit(_ values: [JSONValue], file: JSONValue? = nil) -> Result<JSONValue, ControlError> {
        var attachment: SubmittedFile?
        do throws(ControlError) {
            attachment = try file.map { value throws(ControlError) in
                try SubmittedFile(value, payloads: values.count, of: application.kind)
            }
        } catch {
            return .failure(error)
        }
        let checked = values.map { [attachment] value in
            Result {
                let payload = try application.decoded(fromDocument: Data(try value.text().utf8))
                return try attachment?.attached(to: payload) ?? payload
            }
        }
        let payloads = checked.compactMap { result in if case .success(let payload) = result { payload } else { nil } }
        var outcomes: ArraySlice<JSONValue>
        do {
            outcomes = try accept(payloads, attachment)[...]
        } catch {
            return .failure(ControlError(ControlError.unavailable, "\(error)"))
        }
        return .success(
            .array(
                checked.map { result in
                    switch result {
                    case .success: outcomes.popFirst() ?? .null
                    case .failure(let error): rejected(nil, text(error))
                    }
                }))
    }

    private func accept(_ payloads: [any RecordPayload], _ file: SubmittedFile?) throws -> [JSONValue] {
        do {
            return zip(payloads, try outbox.submit(payloads, contents: file?.contents ?? [:])).map { payload, outcome in
                let identifier = payload.identifier
                return switch outcome {
                case .accepted: Self.result(identifier, "accepted", payload.warning(at: Date()))
                case .repeated(let state, let reason):
                    Self.result(identifier, state == .pending ? "accepted" : state.rawValue, reason)
                case .conflict:
                    rejected(
                        identifier,
                        "\(application.kind.withArticle) with this identifier and different content was already accepted"
                    )
                }
            }
        } catch let error as PayloadError {
            // One payload is too large or lacks its file: accept the others without it.
            guard payloads.count > 1 else { return payloads.map { rejected($0.identifier, text(error)) } }
            return try payloads.flatMap { try accept([$0], file) }
        }
    }

    private func text(_ error: any Error) -> String {
        (error as? PayloadError).map(application.kind.text) ?? "\(error)"
    }

    private func rejected(_ identifier: UUID?, _ reason: String) -> JSONValue {
        logger.log(application.events.rejected, (identifier.map { [.package($0)] } ?? []) + [.reason(reason)])
        return Self.result(identifier, "rejected", reason)
    }

    private static func result(_ identifier: UUID?, _ status: String, _ reason: String? = nil) -> JSONValue {
        .object([
            "identifier": identifier.map { .string($0.uuidString) } ?? .null,
            "status": .string(status),
            "reason": reason.map(JSONValue.string) ?? .null,
        ])
    }

    /// Answers once a payload is settled; after “within” seconds, with the reason why it is not.
    func wait(_ params: JSONValue, _ respond: @escaping ControlServer.Respond) {
        guard let identifier = params["identifier"]?.string.flatMap(UUID.init(uuidString:)) else {
            return respond(.failure(ControlError(ControlError.invalidParams, "“identifier” must be a UUID")))
        }
        let patience = params["within"]?.number.map { Duration.seconds(min(max($0, 0), Self.longestWait)) }
        outbox.whenSettled(identifier, within: patience) { state, reason in
            respond(.success(Self.result(identifier, state.rawValue, reason)))
        }
    }
}
