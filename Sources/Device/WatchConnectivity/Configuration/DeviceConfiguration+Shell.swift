import DeviceShell
import LinkProtocol

extension DeviceConfiguration {
    var shellSettings: ShellSettings {
        ShellSettings(
            role: device.role, stateDirectory: stateDirectory, times: times, transferRetry: transferRetry,
            ledgerCapacity: ledgerCapacity, faultSeed: faultSeed, faults: faults, reachabilityFault: reachabilityFault,
            switchesWatches: switchesWatches,
            pairingSecrets: LinkedControl.ofProgram?.pairingSecrets, logger: logger, tap: tap,
            endpoint: endpoint(on:))
    }
}
