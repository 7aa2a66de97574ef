package import Configuration
import DeviceShell
import Foundation
import LinkProtocol
import LinkTransport
import Locking

extension SessionCore {
    /// What was done to the device and still holds.
    var situation: DeviceSituation {
        var situation = DeviceSituation()
        (situation.disk, situation.isLinkUp, situation.activation) = state.withLock {
            ($0.diskFault, $0.isLinkUp, $0.activationFault)
        }
        situation.rules = FaultMethods(self).rules
        if let shell {
            situation.held = shell.faults { ($0.waitingCount, []) }
            let summary = shell.condition { $0.summary }
            (situation.condition, situation.conditions) = (summary.general, summary.special)
        }
        if let presence {
            situation.reachability = presence.reachabilityFault
            situation.own = presence.own
            situation.companions = Array(presence.companions.values)
        }
        return situation
    }
}

extension WCSession {
    /// What keeps the device from working as one expects, because it was done to it; each with the words that end it.
    package var troubles: JSONValue { core.troubles }
}

extension SessionCore {
    var troubles: JSONValue {
        guard let role else { return .array([]) }
        return .array(
            DeviceTrouble.all(of: role, in: situation).map { trouble in
                [
                    "text": .string(trouble.text), "grave": .boolean(trouble.isGrave),
                    "remedy": .array(trouble.remedy.map { .string($0) }),
                ]
            })
    }
}
