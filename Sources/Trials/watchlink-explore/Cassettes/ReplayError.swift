/// The reason why a cassette cannot be replayed.
enum ReplayError: Error, CustomStringConvertible {
    case noSide(path: String, side: String, sides: [String])
    case noBeginning(path: String, side: String)
    case incomplete(path: String, reason: String)
    /// A service that several watches used at the same time, recorded before recordings named the watch of each message.
    case manyWatches(path: String)
    /// A phone with one watch at a time, recorded before recordings said which watches it had at their beginning.
    case unknownBeginning(path: String)
    /// The phone's watch was changed by nobody, as in recordings that did not have the switches of a hazard yet.
    case unexplainedSwitch(path: String, event: Int)
    /// The build left no recording.
    case notRecorded(program: String, lines: [String])
    /// The counterpart's program ended.
    case counterpart(String, [String])
    /// The state that a build was to start with cannot be copied.
    case state(path: String, reason: String)
    /// A build that was to be accepted does not work.
    case failed(String, [String])

    var description: String {
        switch self {
        case .noSide(let path, let side, let sides):
            "\(path) has no events of the \(side); it has those of \(sides.joined(separator: " and "))"
        case .noBeginning(let path, let side):
            "\(path) does not begin with the activation of the \(side)'s session, so a new run would take another course; record from its start with WATCHLINK_RECORD, “record” in its configuration, or in a test before the pair is started"
        case .incomplete(let path, let reason):
            "\(path) is not complete (\(reason)): a replay would show changes where events are missing; record it again"
        case .manyWatches(let path):
            "\(path) is of a service with several watches, and does not say which message was whose, as an earlier version recorded it: record it again, or with one watch"
        case .unknownBeginning(let path):
            "\(path) is of a service that serves one of its watches at a time, and began while it ran, without a word on which one that was, as an earlier version recorded it: record it again"
        case .unexplainedSwitch(let path, let event):
            "\(path) is of a phone with several watches, and does not say to which one it changed in event \(event): it is of an earlier version, which did not record what a hazard switched, or of a phone that was started with another watch; record it again, from the app's first start"
        case .notRecorded(let program, let lines):
            "\(program) has not recorded its course: it must activate a WCSession and be linked with the product DeviceControl, or be a service and run with --service"
                + Self.words(lines)
        case .counterpart(let ending, let lines):
            "the counterpart \(ending), which is an error in WatchLink" + Self.words(lines)
        case .failed(let ending, let lines): "the program \(ending), and was not accepted" + Self.words(lines)
        case .state(let path, let reason): "--state \(path): it cannot be copied for the replay: \(reason)"
        }
    }

    private static func words(_ lines: [String]) -> String {
        lines.isEmpty ? "" : "; its last words:\n" + lines.map { "  \($0)" }.joined(separator: "\n")
    }
}
