/// The random periods in which a device's disk is full.
struct DiskPlan {
    private enum State {
        /// The program has never run.
        case unused
        case good(until: Int64)
        case full(until: Int64)
    }

    /// 600: a full disk lasts from one second to ten minutes, longer than an app keeps retrying, or a person looks
    /// away.
    static let spans = 600
    static let secondsNanoseconds: Int64 = 1_000_000_000

    private let name: String
    private let most: Int
    private let until: Int64
    private var count = 0
    private var state = State.unused

    init(_ hazard: Hazard, until: Int64) { (name, most, self.until) = (hazard.name, hazard.diskFills, until) }

    /// The time of the next change; `Int64.max` for never.
    var instant: Int64 {
        switch state {
        case .unused: .max
        case .good(let time), .full(let time): time
        }
    }

    /// The disk belongs to the device, so the first question is asked once, not for each life of the program.
    mutating func started(at now: Int64, _ source: inout DecisionSource) {
        if case .unused = state { ask(at: now, &source) }
    }

    /// Returns the change that is due.
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

    // The subjects of the questions.
    static func full(of name: String) -> String { "full disk of \(name)" }
    static func span(of name: String) -> String { "how long the disk of \(name) is full" }

    private mutating func ask(at now: Int64, _ source: inout DecisionSource) {
        let time = count < most ? HazardPlan.instant(of: Self.full(of: name), between: now, and: until, &source) : nil
        state = .good(until: time ?? .max)
    }
}
