/// The questions that a world decides.
public enum DecisionKind: UInt8, CaseIterable, Codable, Sendable {
    /// Several threads can run: which of them goes on, counted from the one that has waited longest.
    case thread = 1
    /// A thread is at a place where it may be interrupted.
    case interruption
    /// Several threads wait for one wake: which of them gets it, counted from the one that has waited longest.
    case wake
    /// A thread may be late: by how many milliseconds.
    case stall
    /// The simulated world asks how long something takes.
    case latency
    /// The simulated world asks if something breaks.
    case fault
    /// The program under test or its test asks.
    case application

    /// The word for it in finding files and reports.
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

    /// The kind with a name, if there is one.
    public init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}
