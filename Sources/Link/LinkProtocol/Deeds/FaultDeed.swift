public import Words

/// Something that is done to the faults of a device: one begins, what was held goes on, or all end.
public enum FaultDeed: SaidInWords, Equatable {
    case add(FaultRule)
    /// A fault that the application sees, however well the link works.
    case addAtApp(AppFault)
    case disk(DiskFault, after: Int)
    case reachability(ReachabilityFault)
    case activation(ActivationFault)
    /// What was held or delayed goes on.
    case release
    /// All faults end.
    case clear

    /// Most writes that may succeed before a disk fails. A million: more than any trial writes.
    private static let mostWrites = 1_000_000
    /// Most activations that may fail one after the other. 1,000: for ever, to a person.
    private static let mostFailures = 1_000

    /// The words that a deed begins with.
    public static let verbs =
        FaultRule.verbs + AppFault.verbs + ["disk", "reachability", "activation", "release", "clear"]

    /// - Parameter words: For example `drop reply times=2`, `disk full after=20`, `reachability never silent flap=2s`,
    ///   `activation delay=2s failures=1`, `fail user-info with=transferTimedOut`, `release`, `clear`.
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

    /// What ``init(words:)`` makes the same deed of.
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
