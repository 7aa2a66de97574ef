import Words

/// How a device's idea of who is reachable goes wrong.
public struct ReachabilityFault: Equatable, Sendable {
    public enum Idea: String, CaseIterable, Sendable {
        /// What is so.
        case right
        /// Whatever it was when the fault began.
        case stale
        /// A connected counterpart counts as reachable, whatever its app does.
        case always
        /// Nobody is reachable, though the other side may think so.
        case never
    }

    public var idea = Idea.right
    /// Whether the application is not told of changes.
    public var isSilent = false
    /// After how long the idea changes to ``Idea/never`` and back; nil for a steady one.
    public var flapPeriod: Duration?

    public init(_ idea: Idea = .right, isSilent: Bool = false, flapPeriod: Duration? = nil) {
        self.idea = idea
        self.isSilent = isSilent
        self.flapPeriod = flapPeriod
    }

    /// The same in its other half.
    package var flapped: ReachabilityFault {
        ReachabilityFault(idea == .never ? .right : .never, isSilent: isSilent, flapPeriod: flapPeriod)
    }

    /// As ``FaultDeed`` reads them.
    package var words: [String] {
        [idea.rawValue] + (isSilent ? ["silent"] : []) + (flapPeriod.map { ["flap=\(WordValue.text($0))"] } ?? [])
    }
}
