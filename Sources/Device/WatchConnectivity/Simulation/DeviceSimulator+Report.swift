import DeviceShell
import Foundation
package import LinkProtocol
import LinkTransport
import Locking
import SessionStorage
package import Storage

/// The state of the device, for control clients.
extension DeviceSimulator {
    package var configuration: DeviceConfiguration? { core.configuration }

    /// The presence; nil if the process is not a device.
    package var presence: PresenceStateMachine? { core.presence }

    /// True if a message would reach the counterpart now.
    package var isReachable: Bool { core.isReachable(nil) }

    package var connectedDevices: [Device] { core.connectedDevices }

    /// True while content waits for the delegate.
    package var hasContentPending: Bool { core.hasContentPending }

    /// The number of outgoing transfers that have not ended.
    package var pendingTransfers: Int { core.shell?.pendingTransfers ?? 0 }

    /// The number of transfers that wait for the delegate.
    package var pendingArrivals: Int { core.shell?.inbox.count ?? 0 }

    /// The number of messages that wait for a reply.
    package var outstandingMessages: Int { core.outstanding.value }

    /// The number of messages queued for the delegate or delivered to it, but not answered yet.
    package var openReplies: Int { core.openReplies.value }

    /// The reason why the session's database cannot be used; nil if it can, or before the first activation.
    package var databaseTrouble: DatabaseError? { core.shell?.home.store.trouble }

    /// The delegate's method that was reported as overdue and has not returned, and its duration so far in seconds.
    package var overdueCall: (call: CallWatch.Call, seconds: Double)? { core.overdueCall }

    /// The number of injected faults.
    package var injectedFaults: Int {
        (core.shell?.faults { ($0.injectedCount, []) } ?? 0) + core.appFaults.withLock { $0.injectedCount }
    }

    /// The link's condition for all devices and for single ones, and whether it is temporarily down; nil before the
    /// session is activated.
    package var link: (general: LinkCondition, special: [UUID: LinkCondition], isGone: Bool)? {
        core.shell?.condition { $0.summary }
    }

    /// The effects of actions on the device that still last.
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
