import Foundation
import LinkProtocol
import Locking
import ServiceRuntime

/// What a device answers about its faults.
struct FaultMethods {
    private let session: SessionCore
    private let simulator: DeviceSimulator

    init(_ session: SessionCore) {
        self.session = session
        simulator = DeviceSimulator(session)
    }

    /// - Parameter params: The words of a ``FaultDeed``.
    func apply(_ params: JSONValue) throws -> JSONValue {
        try simulator.apply(try params.deed() as FaultDeed)
        return list()
    }

    func list() -> JSONValue {
        let (rules, waiting, injected) =
            session.driver?.faults { (($0.rules, $0.waitingCount, $0.injectedCount), []) } ?? ([], 0, 0)
        let reachability = session.presence?.reachabilityFault ?? ReachabilityFault()
        let (appFaults, met) = session.appFaults.withLock { ($0.faults, $0.injectedCount) }
        let activation = session.state.withLock { $0.activationFault }
        return .object([
            "rules": .array((rules.map(\.description) + appFaults.map(\.description)).map { .string($0) }),
            "waiting": .integer(Int64(waiting)),
            "injected": .integer(Int64(injected + met)),
            "reachability": .string(
                reachability.idea.rawValue + (reachability.isSilent ? ", silent" : "")
                    + (reachability.flapPeriod == nil ? "" : ", flapping")),
            "activationDelay": .number(activation.delay.inSeconds),
            "activationFailures": .integer(Int64(activation.failures)),
        ])
    }
}
