/// The rules by which a phone admits and serves watches.
public struct CompanionPolicy: Equatable, Sendable {
    /// The number of watches served concurrently.
    public enum Serving: String, CaseIterable, Sendable {
        /// One watch, the active one, as on Apple's phones.
        case active
        /// All paired watches at the same time.
        case all
    }

    /// The pairing of unknown watches.
    public enum Pairing: String, CaseIterable, Sendable {
        /// A new watch is paired, and becomes active if no other is.
        case automatic
        /// Only watches that were paired by identifier may connect.
        case manual
        /// A new watch must send the pairing code.
        case code
    }

    /// The number of watches served concurrently.
    public var serving = Serving.active
    /// The pairing of unknown watches.
    public var pairing = Pairing.automatic

    /// Creates the default rules.
    public init() {}
}
