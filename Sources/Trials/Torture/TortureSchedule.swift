import LinkProtocol

/// What is done in some hours with the services and to them, and when: decided by a seed alone.
struct TortureSchedule {
    private static let services = ["host", "companion"]
    /// Quizzes that are handed over at once, at most.
    static let batch = 4
    /// Quizzes for each transfer of a kind.
    private static let (quizzesPerUserInfo, quizzesPerContext, quizzesPerFile) = (2, 10, 50)
    /// Times in an hour at which a link, a disk or the packages are troubled.
    private static let faultsPerHour = 6.0
    /// Milliseconds for which a service is gone, and a fault lasts, at most.
    private static let (pause, faultSpan) = (120_000, 300_000)
    /// Places by which a service comes while it starts or stores a quiz, about.
    private static let steps = 3_000

    /// In the order of their times.
    private(set) var lines: [(time: Duration, event: TortureEvent)] = []
    private let length: Int
    private var random: SeededGenerator

    init(_ extent: TortureExtent, seed: UInt64) {
        length = Int(extent.hours * 3_600_000)
        random = SeededGenerator(seed: seed)
        addWork(extent.quizzes)
        let work = lines.map(\.time)
        for service in Self.services { addKills(of: service, atMost: extent.kills, duringWork: work) }
        for _ in 0..<Int(extent.hours * Self.faultsPerHour) { addFault() }
        lines = lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func time() -> Duration { .milliseconds(below(length)) }

    private mutating func service() -> String { Self.services[below(2)] }

    private mutating func addWork(_ quizzes: Int) {
        var left = quizzes
        while left > 0 {
            let count = min(left, 1 + below(Self.batch))
            lines.append((time(), .submit(count)))
            left -= count
        }
        for _ in 0..<(quizzes / Self.quizzesPerUserInfo) { lines.append((time(), .sendUserInfo(from: service()))) }
        for _ in 0..<(quizzes / Self.quizzesPerContext) { lines.append((time(), .sendContext(from: service()))) }
        for _ in 0..<(quizzes / Self.quizzesPerFile) { lines.append((time(), .sendFile(from: service()))) }
    }

    /// Kills and restarts, one after the other; by the end the service runs.
    private mutating func addKills(of service: String, atMost most: Int, duringWork work: [Duration]) {
        // In the midst of work, or at any time.
        let times = (0..<below(most + 1)).map { _ in below(3) > 0 ? work[below(work.count)] : time() }
        var free = Duration.zero
        for time in times.sorted() where time >= free {
            lines.append((time, crashOrKill(service)))
            free = time + .milliseconds(1 + below(Self.pause))
            lines.append((free, .start(service)))
            if below(4) == 0 {
                // It crashes while it starts.
                lines.append((free, .crash(service, step: step())))
                free += .milliseconds(1 + below(Self.pause))
                lines.append((free, .start(service)))
            }
        }
    }

    private mutating func crashOrKill(_ service: String) -> TortureEvent {
        below(4) == 0 ? .kill(service) : .crash(service, step: step())
    }

    /// Early ones more often: there are always so many.
    private mutating func step() -> Int { 1 + below(Self.steps) * below(Self.steps) / Self.steps }

    private mutating func addFault() {
        let (service, begin) = (service(), time())
        let end = begin + .milliseconds(1 + below(Self.faultSpan))
        switch below(4) {
        case 0:
            let presets = LinkPreset.allCases
            lines.append((begin, .condition(service, presets[below(presets.count)].condition)))
            lines.append((end, .condition(service, LinkPreset.perfect.condition)))
        case 1:
            let faults = DiskFault.allCases
            lines.append((begin, .fault(service, .disk(faults[below(faults.count)], after: below(100)))))
            lines.append((end, .fault(service, .disk(.none, after: 0))))
        case 2:
            lines.append((begin, .deed(service, .linkDown)))
            lines.append((end, .deed(service, .linkUp)))
        default:
            lines.append((begin, .fault(service, .add(rule()))))
            lines.append((end, .fault(service, .release)))
            lines.append((end, .fault(service, .clear)))
        }
    }

    private mutating func rule() -> FaultRule {
        let effects: [FaultRule.Effect] = [.drop, .delay(.milliseconds(1 + below(20_000))), .duplicate, .hold]
        let (targets, directions) = (FaultTarget.allCases, FaultRule.Direction.allCases)
        return FaultRule(
            effects[below(effects.count)], targets[below(targets.count)], directions[below(directions.count)],
            FaultSelection(limit: 1 + below(3)))
    }
}
