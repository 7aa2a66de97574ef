/// How a phone treats the watches that come to it.
public struct CompanionPolicy: Equatable, Sendable {
    public enum Serving: String, CaseIterable, Sendable {
        /// One at a time, the active one, as Apple's phones do.
        case active
        /// All that are paired, at the same time.
        case all
    }

    public enum Pairing: String, CaseIterable, Sendable {
        /// A watch that comes for the first time is paired, and active if none is.
        case automatic
        /// Only those that were paired by name are let in.
        case manual
        /// A watch that comes for the first time must show the pairing code.
        case code
    }

    public var serving = Serving.active
    public var pairing = Pairing.automatic

    public init() {}
}
