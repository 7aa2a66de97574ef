public import Words

/// A change to the faults of a device: one is added, held packages are released, or all faults end.
public enum FaultDeed: WordConvertible, Equatable {
    /// Adds a fault of the link.
    case add(FaultRule)
    /// Adds a fault that the application sees even if the link works.
    case addAtApp(AppFault)
    /// Makes the disk below the databases fail after a number of successful writes.
    case disk(DiskFault, after: Int)
    /// Falsifies the reachability of the peer.
    case reachability(ReachabilityFault)
    /// Delays the next activation of the session, or makes activations fail.
    case activation(ActivationFault)
    /// Releases packages that were held or delayed.
    case release
    /// Ends all faults.
    case clear

    /// The most writes that can succeed before a disk fails. A million: more than any trial writes.
    private static let mostWrites = 1_000_000
    /// The most activations that can fail in a row. 1,000: practically unlimited.
    private static let mostFailures = 1_000

    /// The first words of all changes.
    public static let verbs =
        FaultRule.verbs + AppFault.verbs + ["disk", "reachability", "activation", "release", "clear"]

    /// Creates a change from command words.
    ///
    /// - Parameter words: For example `drop reply times=2`, `disk full after=20`, `reachability never silent flap=2s`,
    ///   `activation delay=2s failures=1`, `fail user-info with=transferTimedOut`, `release`, `clear`.
    /// - Throws: `WordError` for a missing, unknown or surplus word, or an invalid value.
    public init(words: [String]) throws(WordError) {
        var reader = WordReader(words)
        let verb = try reader.choice("fault", among: Self.verbs)
        switch verb {
        case "disk":
            let fault: DiskFault = try reader.choice("disk fault")
            let options = try reader.options("disk \(fault.rawValue)", ["after"])
            self = .disk(fault, after: try options.count("after", within: 0...Self.mostWrites) ?? 0)
        case "reachability":
            let idea: ReachabilityFault.Idea = try reader.choice("reachability")
            let isSilent = reader.take("silent")
            let options = try reader.options("reachability \(idea.rawValue)", ["flap"])
            self = .reachability(
                ReachabilityFault(idea, isSilent: isSilent, flapPeriod: try options.span("flap")))
        case "activation":
            let options = try reader.options("activation", ["delay", "failures"])
            try options.requireOne()
            self = .activation(
                ActivationFault(
                    delay: try options.span("delay") ?? .zero,
                    failures: try options.count("failures", within: 0...Self.mostFailures) ?? 0))
        case "release", "clear":
            try reader.end(verb)
            self = verb == "release" ? .release : .clear
        default:
            let isAtApp = AppFault.verbs.contains(verb) || reader.rest.contains(AppFault.place)
            self = isAtApp ? .addAtApp(try AppFault(verb, &reader)) : .add(try FaultRule(verb, &reader))
        }
    }

    /// The words from which ``init(words:)`` recreates the change.
    public var words: [String] {
        switch self {
        case .add(let rule): rule.words
        case .addAtApp(let fault): fault.words
        case .disk(let fault, let after): ["disk", fault.rawValue] + (after == 0 ? [] : ["after=\(after)"])
        case .reachability(let fault): ["reachability"] + fault.words
        case .activation(let fault): ["activation"] + fault.words
        case .release: ["release"]
        case .clear: ["clear"]
        }
    }
}
