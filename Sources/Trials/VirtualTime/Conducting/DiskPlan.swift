/// When a device's disk fills up by chance, and when there is room again.
struct DiskPlan {
    private enum State {
        /// The program never ran.
        case unused
        case good(until: Int64)
        case full(until: Int64)
    }

    /// 600: a full disk lasts for a second to ten minutes. Longer than an app tries again, or a person looks away.
    static let spans = 600
    static let secondsNanoseconds: Int64 = 1_000_000_000

    private let name: String
    private let most: Int
    private let until: Int64
    private var count = 0
    private var state = State.unused

    init(_ hazard: Hazard, until: Int64) { (name, most, self.until) = (hazard.name, hazard.diskFills, until) }

    /// When there is something to do; `Int64.max` for never.
    var instant: Int64 {
        switch state {
        case .unused: .max
        case .good(let time), .full(let time): time
        }
    }

    /// The disk is the device's: it is asked for once, and not for each life of the program.
    mutating func started(at now: Int64, _ source: inout DecisionSource) {
        if case .unused = state { ask(at: now, &source) }
    }

    /// What is to be done, when its time has come.
    mutating func next(at now: Int64, _ source: inout DecisionSource) -> Deed? {
        switch state {
        case .unused: return nil
        case .good:
            count += 1
            let seconds = 1 + Int64(source.choose(.latency, among: Self.spans, about: Self.span(of: name), at: now))
            state = .full(until: min(now + seconds * Self.secondsNanoseconds, until))
            return .disk(name, isFull: true)
        case .full:
            ask(at: now, &source)
            return .disk(name, isFull: false)
        }
    }

    // The subjects of its questions.
    static func full(of name: String) -> String { "full disk of \(name)" }
    static func span(of name: String) -> String { "how long the disk of \(name) is full" }

    private mutating func ask(at now: Int64, _ source: inout DecisionSource) {
        let time = count < most ? HazardPlan.instant(of: Self.full(of: name), between: now, and: until, &source) : nil
        state = .good(until: time ?? .max)
    }
}
