public import LinkProtocol

/// A place in a program that would trap on a device, or that loses an answer.
public struct IsolationFinding: Sendable, Hashable {
    /// The trouble at the place.
    public enum Kind: String, Sendable, CaseIterable {
        /// A closure or method is isolated to an actor, and the device calls it on the session's queue.
        case isolatedCode
        /// The delegate's conformance is isolated to an actor, and the device calls its methods on the session's queue.
        case isolatedConformance
        /// The code demands a queue that is not the session's.
        case wrongQueue
        /// A continuation is resumed twice.
        case resumedTwice
        /// A continuation is never resumed, and its task never goes on.
        case neverResumed
        /// A call on the session's queue does not return.
        case blocked
    }

    /// The trouble at the place.
    public let kind: Kind
    /// The file and the line, such as `Sources/App/Screen.swift:12`; nil if they are unknown.
    public let place: String?
    /// The function, such as `closure #1 in App.Screen.send()`; nil if it is unknown.
    public let function: String?
    /// A sentence on the trouble.
    public let text: String
    /// A sentence on the cure.
    public let cure: String
    /// The devices on which it was found.
    public internal(set) var roles: [DeviceRole]
}

extension IsolationFinding: CustomStringConvertible {
    /// The finding as a person reads it, in two lines.
    public var description: String {
        let subject = [place, function].compactMap { $0 }.joined(separator: "  ")
        return "\(subject.isEmpty ? "(place unknown)" : subject): \(text)\n    → \(cure)"
    }
}
