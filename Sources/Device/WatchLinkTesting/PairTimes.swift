import LinkProtocol
import Words

/// The time-outs of a pair's devices: how long a test waits in real time when something is lost on purpose.
public struct PairTimes: Equatable, Sendable {
    /// The time that a message waits for its reply.
    public var reply: Duration
    /// The time that a transfer waits for its acknowledgement before it is sent again.
    public var acknowledgement: Duration

    /// Creates time-outs.
    public init(reply: Duration, acknowledgement: Duration) {
        self.reply = reply
        self.acknowledgement = acknowledgement
    }

    /// The time-outs of tests. Half a second and two seconds: an answer takes about a millisecond, and the rest is for
    /// a busy machine.
    public static let short = PairTimes(reply: .milliseconds(500), acknowledgement: .seconds(2))

    /// The time-outs outside of tests: 30 and 60 seconds.
    public static let real = PairTimes(reply: LinkTimes().reply, acknowledgement: LinkTimes().acknowledgement)

    /// Returns the time-outs of tests, with another one for replies.
    public static func reply(_ reply: Duration) -> PairTimes {
        PairTimes(reply: reply, acknowledgement: short.acknowledgement)
    }

    func apply(to times: inout LinkTimes) {
        times.reply = reply
        times.acknowledgement = acknowledgement
    }

    /// The environment variables that give a process these time-outs.
    var environment: [String: String] {
        [
            "WATCHLINK_REPLY_TIMEOUT": WordValue.text(reply),
            "WATCHLINK_ACKNOWLEDGEMENT_TIMEOUT": WordValue.text(acknowledgement),
        ]
    }
}
