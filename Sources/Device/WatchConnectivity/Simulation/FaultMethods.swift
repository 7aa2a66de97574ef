import Configuration
import ControlSocket
import DeviceShell
import Foundation
import LinkProtocol
import Locking

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

    /// The words of the faults that hold.
    var rules: [String] { simulator.faults.map(\.description) + simulator.appFaults.map(\.description) }

    func list() -> JSONValue {
        let (waiting, injected) = session.shell?.faults { (($0.waitingCount, $0.injectedCount), []) } ?? (0, 0)
        let reachability = session.presence?.reachabilityFault ?? ReachabilityFault()
        let met = session.appFaults.withLock { $0.injectedCount }
        let (activation, disk) = session.state.withLock { ($0.activationFault, $0.diskFault) }
        return .object([
            "rules": .array(rules.map { .string($0) }),
            "waiting": .integer(Int64(waiting)),
            "injected": .integer(Int64(injected + met)),
            "reachability": .string(
                reachability.idea.rawValue + (reachability.isSilent ? ", silent" : "")
                    + (reachability.flapPeriod == nil ? "" : ", flapping")),
            "disk": .array(FaultDeed.disk(disk.fault, after: disk.after).words.dropFirst().map { .string($0) }),
            "activationDelay": .number(activation.delay.inSeconds),
            "activationFailures": .integer(Int64(activation.failures)),
        ])
    }
}
