import Configuration
import LinkProtocol
import WatchConnectivity

/// A report of a device's faults.
enum FaultReport {
    static func of(_ device: DeviceSimulator) -> JSONValue {
        let situation = device.situation
        let (reachability, disk) = (situation.reachability, situation.disk)
        return .object([
            "rules": .array(situation.rules.map { .string($0) }),
            "waiting": .integer(Int64(situation.held)),
            "injected": .integer(Int64(device.injectedFaults)),
            "reachability": .string(
                reachability.idea.rawValue + (reachability.isSilent ? ", silent" : "")
                    + (reachability.flapPeriod == nil ? "" : ", flapping")),
            "disk": .array(FaultDeed.disk(disk.fault, after: disk.after).words.dropFirst().map { .string($0) }),
            "activationDelay": .number(situation.activation.delay.inSeconds),
            "activationFailures": .integer(Int64(situation.activation.failures)),
        ])
    }
}
