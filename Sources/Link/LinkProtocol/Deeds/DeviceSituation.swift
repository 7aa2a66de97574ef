package import Foundation

/// All that was done to a device and still holds.
package struct DeviceSituation: Sendable {
    /// The words of faults that hold.
    package var rules: [String] = []
    /// Packages that faults hold or delay.
    package var held = 0
    package var disk: (fault: DiskFault, after: Int) = (.none, 0)
    package var reachability = ReachabilityFault()
    package var activation = ActivationFault()
    package var isLinkUp = true
    package var condition = LinkCondition()
    /// Of single devices.
    package var conditions: [UUID: LinkCondition] = [:]
    package var own = DeviceState()
    /// Host: its watches.
    package var companions: [Companion] = []

    package init() {}
}
