import Words

/// A falsified view of the peer's reachability.
public struct ReachabilityFault: Equatable, Sendable {
    /// The reachability that the device assumes.
    public enum Idea: String, CaseIterable, Sendable {
        /// The actual reachability.
        case right
        /// The reachability at the time when the fault began.
        case stale
        /// A connected counterpart counts as reachable, regardless of its app's state.
        case always
        /// No counterpart counts as reachable, although the other side may see it differently.
        case never
    }

    /// The reachability that the device assumes.
    public var idea = Idea.right
    /// True if the application is not notified of changes.
    public var isSilent = false
    /// The time after which the view toggles between ``Idea/never`` and ``Idea/right``; nil for a constant one.
    public var flapPeriod: Duration?

    /// Creates a fault; the default values describe the actual reachability.
    public init(_ idea: Idea = .right, isSilent: Bool = false, flapPeriod: Duration? = nil) {
        self.idea = idea
        self.isSilent = isSilent
        self.flapPeriod = flapPeriod
    }

    /// The fault in its alternate phase.
    package var flapped: ReachabilityFault {
        ReachabilityFault(idea == .never ? .right : .never, isSilent: isSilent, flapPeriod: flapPeriod)
    }

    /// The words as ``FaultDeed`` parses them.
    package var words: [String] {
        [idea.rawValue] + (isSilent ? ["silent"] : []) + (flapPeriod.map { ["flap=\(WordValue.text($0))"] } ?? [])
    }
}
