/// The error for a condition that did not hold in time, with the last lines of the log.
public struct WaitTimeout: Error, CustomStringConvertible {
    /// The description of the condition.
    public let what: String
    /// The time-out.
    public let limit: Duration
    /// The last lines of the devices' logs.
    public let log: [String]

    public var description: String {
        "“\(what)” did not happen within \(limit). The last log lines:\n" + log.joined(separator: "\n")
    }
}
