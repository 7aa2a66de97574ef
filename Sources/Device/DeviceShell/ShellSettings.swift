package import EventLog
package import LinkProtocol
package import LinkTransport

/// The settings of a shell.
package struct ShellSettings: Sendable {
    package var role: DeviceRole
    /// Where the device keeps its transfers, contexts, received files and ledger.
    package var stateDirectory: String
    package var times: LinkTimes
    /// The delays after which transfers that the counterpart could not keep are sent again.
    package var transferRetry: Backoff
    /// Messages that the ledger keeps.
    package var ledgerCapacity: Int
    /// Decides what faults leave to chance.
    package var faultSeed: UInt64
    package var faults: [FaultRule]
    package var reachabilityFault: ReachabilityFault
    /// Whether the person switches to another watch now and then.
    package var switchesWatches: Bool
    /// Makes pairing codes and recognises them; nil in a program that cannot.
    package var pairingSecrets: (any PairingSecrets)?
    package var logger: Logger
    /// Makes the device's end of the link.
    package var endpoint: @Sendable (EventLoop) -> any LinkEndpoint

    package init(
        role: DeviceRole, stateDirectory: String, times: LinkTimes, transferRetry: Backoff, ledgerCapacity: Int,
        faultSeed: UInt64, faults: [FaultRule], reachabilityFault: ReachabilityFault, switchesWatches: Bool,
        pairingSecrets: (any PairingSecrets)?, logger: Logger,
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
        self.endpoint = endpoint
    }
}
