/// The error for a condition that did not hold in time, with what the ledgers and the logs of the devices tell.
public struct WaitTimeout: Error, CustomStringConvertible {
    /// The description of the condition.
    public let what: String
    /// The time-out.
    public let limit: Duration
    private let place: CallSite
    private let report: FailureReport

    init(_ what: String, _ limit: Duration, at place: CallSite, _ devices: [DeviceEvidence]) {
        self.what = what
        self.limit = limit
        self.place = place
        report = FailureReport(devices, at: place)
    }

    /// The entries of the devices' ledgers that have not ended well, or else the latest ones.
    public var ledger: [String] { report.ledger }
    /// The last lines of the devices' logs, without those for debugging.
    public var log: [String] { report.lines }
    /// The path of the timeline, or the reason why there is none; nil if the devices did nothing.
    public var timeline: String? { report.timeline }

    public var description: String {
        "\(place.description): “\(what)” did not happen within \(limit).\n\(report.text())"
    }
}
