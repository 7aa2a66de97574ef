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

    public init(_ idea: Idea = .right, isSilent: Bool = false) {
        self.idea = idea
        self.isSilent = isSilent
    }
}
