import Configuration
import ControlSocket
import Foundation
import ServiceRuntime

/// One payload without any fault, before a torture begins: services that refuse all work would keep every promise.
struct TortureRehearsal {
    private let subject: TrialSubject
    private let services: TrialServices

    init(_ subject: TrialSubject, in directory: URL, onLine: @escaping @Sendable (String) -> Void) throws {
        self.subject = subject
        services = try TrialServices(in: directory, programs: subject.programs, onLine: onLine)
    }

    /// Returns the singular name of the payloads, once one was delivered.
    ///
    /// - Throws: ``TrialFailure`` with the reason why none can be.
    func kind() throws -> String {
        for service in ["host", "companion"] {
            guard try services.start(service) else {
                throw TrialFailure("the \(service) does not start even without a fault; see its log with --verbose")
            }
        }
        let known = try services.call("host", "applications").array ?? []
        let application = known.first { $0["plural"]?.string == subject.application }
        guard let kind = application?["name"]?.string else {
            let names = known.compactMap { $0["plural"]?.string }.joined(separator: ", ")
            throw TrialFailure("the host has no application “\(subject.application)”; name one of: \(names)")
        }
        try deliver()
        for service in ["companion", "host"] { try services.stop(service) }
        return kind
    }

    private func deliver() throws {
        var answer: JSONValue?
        try subject.requests(1, in: services.state.path) {
            answer = try services.call("companion", "submit", $0).array?.first
        }
        guard let identifier = answer?["identifier"]?.string, answer?["status"]?.string == "accepted" else {
            throw TrialFailure(
                "the companion rejects the document: \(answer?["reason"]?.string ?? "no reason"); correct it")
        }
        let end = try services.call("companion", "wait", subject.question(after: identifier))
        guard end["status"]?.string == "replied" else {
            throw TrialFailure("the host does not store the document: \(end["reason"]?.string ?? "no reason")")
        }
    }
}
