public import Foundation

/// The reason why a change of the paired watches was refused.
public enum PairingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No watch with this identifier has ever connected.
    case unknown(UUID)
    /// The watch is not paired.
    case notPaired(UUID)
    /// This device is a watch, which has only its phone.
    case notHost
    /// A switch of watches is already in progress.
    case switching
    /// The table of watches is full, and all of them are paired or connected.
    case full
    /// Too many new watches have connected.
    case tooFast

    public var description: String {
        switch self {
        case .unknown(let identifier): "unknown watch \(identifier): it must connect once before it can be changed"
        case .notPaired(let identifier):
            "the watch \(identifier) is not paired; pair it first (“watchlink watches pair \(identifier)”)"
        case .notHost: "only a host has watches"
        case .switching: "another switch is in progress: the session's delegate has not reactivated the session yet"
        case .full:
            "this host already has \(LinkLimits.companions) watches, the maximum: unpair one that is no longer used (“watchlink watches unpair ID”)"
        case .tooFast:
            "too many new watches: after the first \(LinkLimits.newCompanions), \(LinkLimits.newCompanionsPerSecond) per second is paired. This one keeps retrying; “watchlink watches pair ID” admits it now, and companions: { pairing: \"code\" } keeps out strangers"
        }
    }
}
