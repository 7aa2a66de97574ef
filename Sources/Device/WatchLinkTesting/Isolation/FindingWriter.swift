import Foundation
import LinkProtocol
import Processes
import WatchConnectivity

/// Turns observations into findings: looks up their places, and says what is wrong and what cures it.
struct FindingWriter {
    let resolver: StackResolver
    let role: DeviceRole
    /// The path of the program.
    let program: String

    /// The functions that `assumeIsolated` calls and that check again. 1: its closure.
    private static let closuresOfAssumption = 1

    /// Returns the findings of an observation; none if it is no trouble of the application's.
    func findings(_ observation: LintObservation) -> [IsolationFinding] {
        guard case .finding(let kind) = observation.kind else { return [] }
        switch kind {
        case .isolatedCode: return [isolatedCode(observation)]
        case .isolatedConformance: return isolatedConformance(observation)
        case .wrongQueue:
            return [
                finding(
                    kind, at: written(observation.stack),
                    "demands another queue, but the session calls it on a queue of its own\(during(observation))",
                    "Demand no queue here: hop to it, DispatchQueue.main.async { … } or Task { @MainActor in … }.")
            ]
        case .resumedTwice:
            return [
                finding(
                    kind, at: written(observation.stack),
                    "resumes the continuation of \(observation.detail ?? "a call") for a second time, which ends the program\(during(observation))",
                    "Resume a continuation exactly once: in the reply handler or in the error handler, and nowhere else."
                )
            ]
        case .neverResumed:
            let function = observation.detail ?? "a call"
            return [
                finding(
                    kind, at: resolver.functions(function, in: program).first, name: function,
                    "its continuation is never resumed, so its task never goes on\(during(observation))",
                    "Resume the continuation on every path, in the reply handler and in the error handler.")
            ]
        case .blocked: return [blocked(observation)]
        }
    }

    private func isolatedCode(_ observation: LintObservation) -> IsolationFinding {
        let isMain = observation.detail == "MainActor"
        let actor = isMain ? "the main actor" : "the actor \(observation.detail ?? "?")"
        let hop = isMain ? "Task { @MainActor in … }" : "Task { await … }"
        let calls = observation.stack.map(resolver.calls) ?? []
        let own = calls.firstIndex { $0.isWritten }
        let queue = observation.subject == nil ? "another queue" : "the session's queue"
        let end = "\(during(observation)): a trap on a device"
        if let witness = calls[..<(own ?? calls.endIndex)].first(where: { $0.isWitness }) {
            return finding(
                .isolatedCode, at: method(observation.subject, of: witness), name: observation.subject,
                "is isolated to \(actor), but the device calls it on the session's queue: a trap on a device",
                "Declare the method nonisolated, and hop inside it: \(hop).")
        }
        if let assumption = calls.firstIndex(where: { $0.isAssumption }),
            calls[..<assumption].filter({ $0.isWritten }).count <= Self.closuresOfAssumption
        {
            return finding(
                .isolatedCode, at: calls[assumption...].first { $0.isWritten },
                "assumes to run on \(actor), but runs on \(queue)\(end)",
                "Replace assumeIsolated by a hop: \(hop).")
        }
        let name = own.flatMap { calls[$0].name }.map { SwiftName(mangled: $0).full }
        let isClosure = name?.hasPrefix("closure #") ?? true
        return finding(
            .isolatedCode, at: own.map { calls[$0] },
            "is isolated to \(actor), but runs on \(queue)\(end)",
            isClosure
                ? "Mark the closure @Sendable, and hop inside it: \(hop)."
                : "Declare the function nonisolated, and hop inside it: \(hop).")
    }

    /// Returns the method that a delegate's conformance calls.
    private func method(_ name: String?, of witness: ResolvedCall) -> ResolvedCall? {
        guard let name, let prefix = witness.typePrefix else { return nil }
        return resolver.functions(name, prefix: prefix, in: program).first
    }

    /// Names each method of the delegate: the conformance does not say which are `nonisolated`.
    private func isolatedConformance(_ observation: LintObservation) -> [IsolationFinding] {
        let type = observation.detail ?? "the delegate"
        let cure = "Declare the method nonisolated, and hop inside it: Task { @MainActor in … }."
        let text =
            "\(type) conforms to WCSessionDelegate on an actor only, but the device calls its methods on the session's queue: a trap on a device, although not on Linux"
        let witness = observation.stack.map(resolver.calls)?.first { $0.isWitness }
        let methods = LintRun.delegateMethods.compactMap { name -> IsolationFinding? in
            witness.flatMap { method(name, of: $0) }.map { finding(.isolatedConformance, at: $0, text, cure) }
        }
        return methods.isEmpty ? [finding(.isolatedConformance, at: nil, name: type, text, cure)] : methods
    }

    private func blocked(_ observation: LintObservation) -> IsolationFinding {
        let main = written(observation.mainStack)
        let waiting = main.flatMap { resolver.place(of: $0) ?? $0.name.map { SwiftName(mangled: $0).short } }
        let rest = waiting.map { ", while the main thread waits at \($0)" } ?? ""
        return finding(
            .blocked, at: written(observation.stack),
            "does not return within \(Int(LintRun.patience)) s\(during(observation))\(rest): nothing else reaches the app, and two that wait for each other wait for ever",
            "Do not wait on the session's queue: use DispatchQueue.main.async instead of sync, and never block the main queue until an answer comes."
        )
    }

    private func written(_ stack: CallStack?) -> ResolvedCall? {
        stack.map(resolver.calls)?.first { $0.isWritten }
    }

    private func during(_ observation: LintObservation) -> String {
        observation.subject.map { " (in the call of \($0))" } ?? ""
    }

    private func finding(
        _ kind: IsolationFinding.Kind, at call: ResolvedCall?, name: String? = nil, _ text: String, _ cure: String
    ) -> IsolationFinding {
        IsolationFinding(
            kind: kind, place: call.flatMap(resolver.place),
            function: call?.name.map { SwiftName(mangled: $0).short } ?? name, text: text, cure: cure, roles: [role])
    }
}
