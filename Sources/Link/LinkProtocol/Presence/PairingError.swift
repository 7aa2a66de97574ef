public import Foundation

/// Why a change of the paired watches was refused.
public enum PairingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No watch of this identifier ever came.
    case unknown(UUID)
    case notPaired(UUID)
    /// A watch has one phone and pairs with nothing else.
    case notHost
    /// A switch is going on already.
    case switching
    /// The host knows as many watches as it keeps, and all are paired or there.
    case full
    /// Too many watches have come for the first time.
    case tooFast

    public var description: String {
        switch self {
        case .unknown(let identifier): "no watch \(identifier) is known; it must have connected once"
        case .notPaired(let identifier): "the watch \(identifier) is not paired: pair it first"
        case .notHost: "only a host has watches"
        case .switching: "another switch is not finished: the session's delegate has not activated it again"
        case .full:
            "this host knows \(LinkLimits.companions) watches, the most that it keeps: unpair one that is not used any more (“watchlink watches unpair ID”)"
        case .tooFast:
            "too many new watches have come: after \(LinkLimits.newCompanions) at once, \(LinkLimits.newCompanionsPerSecond) a second is paired. It tries again by itself; “watchlink watches pair ID” lets it in now, companions: { pairing: \"code\" } keeps strangers out"
        }
    }
}
