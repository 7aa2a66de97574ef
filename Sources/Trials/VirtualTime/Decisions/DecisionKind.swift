/// The kinds of questions that a world decides.
public enum DecisionKind: UInt8, CaseIterable, Codable, Sendable {
    /// Several threads can run: the one that runs next, counted from the one that has waited longest.
    case thread = 1
    /// A thread can be interrupted: 0 if it is not.
    case interruption
    /// Several threads wait for one wake-up: the one that gets it, counted from the one that has waited longest.
    case wake
    /// A thread can be late: its delay in milliseconds.
    case stall
    /// A question of the simulated world about how long something takes.
    case latency
    /// A question of the simulated world about whether something breaks.
    case fault
    /// A question of the program under test, or of its test.
    case application

    /// The name in finding files and reports.
    public var name: String {
        switch self {
        case .thread: "thread"
        case .interruption: "interruption"
        case .wake: "wake"
        case .stall: "stall"
        case .latency: "latency"
        case .fault: "fault"
        case .application: "application"
        }
    }

    /// Creates the kind with the given name; nil if there is none.
    public init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}
