/// The result of an ``IsolationCheck``.
public struct IsolationReport: Sendable {
    /// The places that would trap on a device; empty for a correct program.
    public let findings: [IsolationFinding]
    /// Other observations: hints of the session, parts that could not be checked.
    public let notes: [String]
    /// The delegate's methods and the kinds of handlers that were called and returned.
    public let checked: [String]
}
