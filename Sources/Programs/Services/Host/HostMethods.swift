import Configuration
import ControlSocket
import Foundation
import RecordSync

/// The host's control methods.
final class HostMethods: Sendable {
    private let session: WCSession
    private let history: MessageHistory
    private let applications: [HostedRecords]
    private let started = Date()

    init(session: WCSession, applications: [HostedRecords], history: MessageHistory) {
        self.session = session
        self.history = history
        self.applications = applications
    }

    func answer(_ method: String, _ params: JSONValue, _ respond: @escaping ControlServer.Respond) {
        for application in applications where application.begins(method, params, respond) { return }
        respond(answer(method, params))
    }

    private func answer(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError> {
        switch method {
        case "status": return .success(status())
        case "applications":
            return .success(.array(applications.map { ApplicationDescription($0.application).json }))
        case "history": return .success(StatusReport.history(history))
        default: break
        }
        for application in applications {
            if let answer = application.answer(method, params) { return answer }
        }
        return .failure(.unknown(method: method))
    }

    private func status() -> JSONValue {
        var report = StatusReport.common(service: "host", session: session, history: history, started: started)
        StatusReport.add(applications.map { ($0.application, $0.status) }, to: &report)
        return .object(report)
    }
}
