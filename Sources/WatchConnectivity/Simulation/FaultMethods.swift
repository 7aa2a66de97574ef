import Foundation
import LinkProtocol
import Locking
import ServiceRuntime
import Storage

/// What a device answers about its faults.
struct FaultMethods {
    private let session: SessionCore
    private let simulator: DeviceSimulator

    init(_ session: SessionCore) {
        self.session = session
        simulator = DeviceSimulator(session)
    }

    func answer(_ method: String, _ params: JSONValue) throws -> JSONValue {
        do {
            switch method {
            case "faults.add":
                simulator.inject(try FaultRule(words: params["words"]?.array?.compactMap(\.string) ?? []))
            case "faults.release": simulator.releaseHeld()
            case "faults.clear":
                try simulator.clearFaults()
                if let directory = params["directory"]?.string { try DiskFault.none.apply(to: directory) }
            case "faults.disk": try setDisk(params)
            case "faults.reachability": try setReachability(params)
            case "faults.activation": try setActivation(params)
            default: break
            }
        } catch let error as FaultRule.WordError {
            throw ControlError(ControlError.invalidParams, "\(error)")
        } catch let error as LinkCondition.SettingError {
            throw ControlError(ControlError.invalidParams, "\(error)")
        }
        return list()
    }

    private func list() -> JSONValue {
        let (rules, waiting, injected) =
            session.driver?.faults { (($0.rules, $0.waitingCount, $0.injectedCount), []) } ?? ([], 0, 0)
        let reachability = session.presence?.reachabilityFault ?? ReachabilityFault()
        let activation = session.state.withLock { $0.activationFault }
        return .object([
            "rules": .array(rules.map { .string($0.description) }),
            "waiting": .integer(Int64(waiting)),
            "injected": .integer(Int64(injected)),
            "reachability": .string(
                reachability.idea.rawValue + (reachability.isSilent ? ", silent" : "")
                    + (reachability.flapPeriod == nil ? "" : ", flapping")),
            "activationDelay": .number(activation.delay.inSeconds),
            "activationFailures": .integer(Int64(activation.failures)),
        ])
    }

    private func setDisk(_ params: JSONValue) throws {
        guard let fault = params["fault"]?.string.flatMap(DiskFault.init(rawValue:)) else {
            let names = DiskFault.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError(ControlError.invalidParams, "“fault” is none of \(names)")
        }
        let writes = Int(clamping: params["after"]?.integer ?? 0)
        // A service keeps its application's database elsewhere than its session's.
        if let directory = params["directory"]?.string {
            try fault.apply(to: directory, after: writes)
        } else {
            try simulator.setDisk(fault, after: writes)
        }
    }

    private func setReachability(_ params: JSONValue) throws {
        guard let idea = params["idea"]?.string.flatMap(ReachabilityFault.Idea.init(rawValue:)) else {
            let names = ReachabilityFault.Idea.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError(ControlError.invalidParams, "“idea” is none of \(names)")
        }
        let period = try params["flap"]?.string.map { text throws(LinkCondition.SettingError) in
            try LinkCondition.duration("flap", text)
        }
        simulator.setReachability(
            ReachabilityFault(idea, isSilent: params["silent"]?.boolean == true, flapPeriod: period))
    }

    private func setActivation(_ params: JSONValue) throws {
        let delay = try LinkCondition.duration("delay", params["delay"]?.string ?? "0s")
        simulator.setActivation(
            ActivationFault(delay: delay, failures: Int(clamping: params["failures"]?.integer ?? 0)))
    }
}
