package import Foundation
package import LinkProtocol

/// A request to a device from outside its app: the command line, a scenario, a test, the torture.
///
/// The method and parameters of each request are defined here once, for clients and for the device. The words of the
/// actions are defined with the rules, in `LinkProtocol/Deeds`, because start-up configurations use them as well.
package enum DeviceRequest: Equatable, Sendable {
    // Queries.
    case status
    case watches
    case link
    case faults
    case ledger(LedgerQuestion)

    // Actions.
    case device(DeviceDeed)
    case fault(FaultDeed)
    /// Changes the condition of the link, to all devices or to one.
    case condition(LinkCondition, for: UUID?)
    case watch(WatchDeed)
    case makePairingCode
    /// Sends content in place of the app, to the active watch or to the given one.
    case send(SendDeed, to: UUID?)
    /// Records the device into a new cassette in a folder, with the values at these key paths.
    case startRecording(into: String, keeping: [String])
    case stopRecording
}
