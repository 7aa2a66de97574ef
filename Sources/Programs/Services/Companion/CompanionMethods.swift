import Configuration
import ControlSocket
import DeviceControl
import Foundation
import RecordSync

/// The companion's control methods.
final class CompanionMethods: Sendable {
    private let session: WCSession
    private let applications: [AppliedOutbox]
    private let history: MessageHistory
    private let deviceMethods: DeviceMethods
    private let started = Date()

    init(session: WCSession, applications: [AppliedOutbox], history: MessageHistory) {
        self.session = session
        deviceMethods = DeviceMethods(session.simulator)
        self.applications = applications
        self.history = history
    }

    func answer(_ method: String, _ params: JSONValue, _ respond: @escaping ControlServer.Respond) {
        switch method {
        case "status": respond(.success(status()))
        case "applications":
            respond(.success(.array(applications.map { ApplicationDescription($0.application).json })))
        case "history": respond(.success(StatusReport.history(history)))
        case "submit": respond(submit(params))
        case "wait": named(params, respond) { $0.wait(params, respond) }
        case _ where method.hasPrefix("outbox."):
            named(params, respond) { respond($0.methods.answer(method, params) ?? .failure(.unknown(method: method))) }
        default:
            deviceMethods.answer(method, params, respond)
                ?? respond(.failure(.unknown(method: method)))
        }
    }

    private func status() -> JSONValue {
        var report = StatusReport.common(service: "companion", session: session, history: history, started: started)
        StatusReport.add(applications.map { ($0.application, $0.status) }, to: &report)
        return .object(report)
    }

    /// Returns one result for each payload, in order. The parameter is the plural name of an application.
    private func submit(_ params: JSONValue) -> Result<JSONValue, ControlError> {
        for application in applications {
            if let payloads = params[application.application.kind.plural]?.array {
                return application.submit(payloads, file: params["file"])
            }
        }
        let names = applications.map(\.application.kind.plural)
        if case .object(let fields) = params,
            let other = fields.keys.sorted().first(where: { !(names + ["file"]).contains($0) })
        {
            return .failure(Self.unknown(other, names))
        }
        let quoted = names.map { "“\($0)”" }.joined(separator: " or ")
        return .failure(ControlError(ControlError.invalidParams, "\(quoted) must be a list"))
    }

    /// Calls back with the application that “application” names by its plural; without it, with the first one.
    private func named(_ params: JSONValue, _ respond: ControlServer.Respond, _ body: (AppliedOutbox) -> Void) {
        let name = params["application"]?.string
        guard
            let application = name.map({ name in applications.first { $0.application.kind.plural == name } })
                ?? applications.first
        else {
            return respond(.failure(Self.unknown(name ?? "", applications.map(\.application.kind.plural))))
        }
        body(application)
    }

    private static func unknown(_ name: String, _ known: [String]) -> ControlError {
        ControlError(
            ControlError.invalidParams,
            "this companion has no application “\(name)”; name one by --application: \(known.joined(separator: ", "))")
    }
}
