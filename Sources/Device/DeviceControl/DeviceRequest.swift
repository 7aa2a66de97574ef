package import Foundation
package import LinkProtocol

/// A request to a device from anyone but its app: the command line, a scenario, a test, the torture.
///
/// Each question and each deed has its method and its parameters on the control socket here, once, for those who ask and for the device that
/// answers. The words of the deeds themselves stand beside the rules, in `LinkProtocol/Deeds`: what must hold from the start of an app is
/// said in them, too.
package enum DeviceRequest: Equatable, Sendable {
    // How it is.
    case status
    case watches
    case link
    case faults
    case ledger(LedgerQuestion)

    // What is done to it.
    case device(DeviceDeed)
    case fault(FaultDeed)
    /// Its link becomes another one, to all devices or to a single one.
    case condition(LinkCondition, for: UUID?)
    case watch(WatchDeed)
    case makePairingCode
    /// It sends what its app would, to the active watch or to that one.
    case send(SendDeed, to: UUID?)
}
