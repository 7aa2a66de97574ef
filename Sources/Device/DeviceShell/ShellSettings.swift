package import EventLog
package import LinkProtocol
package import LinkTransport

/// The settings of a shell.
package struct ShellSettings: Sendable {
    package var role: DeviceRole
    /// The directory of the device's transfers, contexts, received files and ledger.
    package var stateDirectory: String
    package var times: LinkTimes
    /// The delays before transfers that the counterpart could not store are sent again.
    package var transferRetry: Backoff
    /// The number of messages that the ledger keeps.
    package var ledgerCapacity: Int
    /// The seed for the random choices of faults.
    package var faultSeed: UInt64
    package var faults: [FaultRule]
    package var reachabilityFault: ReachabilityFault
    /// True if the person switches to another watch now and then.
    package var switchesWatches: Bool
    /// The pairing code implementation; nil in a program without one.
    package var pairingSecrets: (any PairingSecrets)?
    package var logger: Logger
    /// The place at which the device's events are told.
    package var tap: DeviceTap
    /// Creates the device's endpoint of the link.
    package var endpoint: @Sendable (EventLoop) -> any LinkEndpoint

    package init(
        role: DeviceRole, stateDirectory: String, times: LinkTimes, transferRetry: Backoff, ledgerCapacity: Int,
        faultSeed: UInt64, faults: [FaultRule], reachabilityFault: ReachabilityFault, switchesWatches: Bool,
        pairingSecrets: (any PairingSecrets)?, logger: Logger, tap: DeviceTap,
        endpoint: @escaping @Sendable (EventLoop) -> any LinkEndpoint
    ) {
        self.role = role
        self.stateDirectory = stateDirectory
        self.times = times
        self.transferRetry = transferRetry
        self.ledgerCapacity = ledgerCapacity
        self.faultSeed = faultSeed
        self.faults = faults
        self.reachabilityFault = reachabilityFault
        self.switchesWatches = switchesWatches
        self.pairingSecrets = pairingSecrets
        self.logger = logger
        self.tap = tap
        self.endpoint = endpoint
    }
}
