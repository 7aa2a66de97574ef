/// What was waited for did not happen, with the last lines of the log.
public struct WaitTimeout: Error, CustomStringConvertible {
    public let what: String
    public let limit: Duration
    /// The last lines of both devices' logs.
    public let log: [String]

    public var description: String {
        "“\(what)” did not happen within \(limit). The last of the log:\n" + log.joined(separator: "\n")
    }
}
