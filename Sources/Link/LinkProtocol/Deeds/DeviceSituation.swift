package import Foundation

/// The faults, conditions and states that are in effect on a device.
package struct DeviceSituation: Sendable {
    /// The words of the active fault rules.
    package var rules: [String] = []
    /// The number of packages that faults hold or delay.
    package var held = 0
    package var disk: (fault: DiskFault, after: Int) = (.none, 0)
    package var reachability = ReachabilityFault()
    package var activation = ActivationFault()
    package var isLinkUp = true
    package var condition = LinkCondition()
    /// The conditions of links to single devices.
    package var conditions: [UUID: LinkCondition] = [:]
    package var own = DeviceState()
    /// The watches of a host.
    package var companions: [Companion] = []

    package init() {}
}
