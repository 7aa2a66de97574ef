import DeviceShell
import Foundation
package import LinkProtocol
import LinkTransport
import Locking

/// How the device is, for whoever steers it.
extension DeviceSimulator {
    package var configuration: DeviceConfiguration? { core.configuration }

    /// Nil if the process is no device.
    package var presence: PresenceStateMachine? { core.presence }

    /// A message would find its way now.
    package var isReachable: Bool { core.isReachable(nil) }

    package var connectedDevices: [Device] { core.connectedDevices }

    /// Something waits to be given to the delegate.
    package var hasContentPending: Bool { core.hasContentPending }

    /// Transfers that wait to be sent.
    package var pendingTransfers: Int { core.shell?.pendingTransfers ?? 0 }

    /// Transfers that wait to be given to the delegate.
    package var pendingArrivals: Int { core.shell?.inbox.count ?? 0 }

    /// The delegate's method that was told of as not returning and has not returned, and for how many seconds it has lasted.
    package var overdueCall: (call: CallWatch.Call, seconds: Double)? { core.overdueCall }

    /// How often a fault met something.
    package var injectedFaults: Int {
        (core.shell?.faults { ($0.injectedCount, []) } ?? 0) + core.appFaults.withLock { $0.injectedCount }
    }

    /// The link's condition for all devices and for single ones, and whether it is gone for a time; nil before the session is activated.
    package var link: (general: LinkCondition, special: [UUID: LinkCondition], isGone: Bool)? {
        core.shell?.condition { $0.summary }
    }

    /// Deeds done to the device that still hold.
    package var situation: DeviceSituation {
        var situation = DeviceSituation()
        (situation.disk, situation.isLinkUp, situation.activation) = core.state.withLock {
            ($0.diskFault, $0.isLinkUp, $0.activationFault)
        }
        situation.rules = faults.map(\.description) + appFaults.map(\.description)
        situation.held = core.shell?.faults { ($0.waitingCount, []) } ?? 0
        if let link { (situation.condition, situation.conditions) = (link.general, link.special) }
        if let presence {
            situation.reachability = presence.reachabilityFault
            situation.own = presence.own
            situation.companions = Array(presence.companions.values)
        }
        return situation
    }
}
