import LinkProtocol

/// The actions of some hours on the services, with their times. A seed decides the work, and chance the faults: in
/// virtual time each kill and each fault is a decision, and the default decisions cause none.
struct TortureSchedule {
    private static let services = ["host", "companion"]
    /// The limit on quizzes in one batch.
    static let batch = 4
    /// The number of quizzes for each transfer of a kind.
    private static let (quizzesPerUserInfo, quizzesPerContext, quizzesPerFile) = (2, 10, 50)
    /// The number of times per hour at which a fault may happen; half of them have one.
    private static let faultsPerHour = 12.0
    /// The longest absence of a service and the longest fault, in milliseconds.
    private static let (pause, faultSpan) = (120_000, 300_000)
    /// The approximate number of interruption points a service passes while it starts or stores a quiz.
    private static let steps = 3_000

    /// The events in order of time.
    private(set) var lines: [(time: Duration, event: TortureEvent)] = []
    private let length: Int
    private var random: SeededGenerator
    private var chance: Chance

    init(_ extent: TortureExtent, seed: UInt64, chance: Chance) {
        length = Int(extent.hours * 3_600_000)
        random = SeededGenerator(seed: seed)
        self.chance = chance
        addWork(extent.quizzes)
        let work = lines.map(\.time)
        for service in Self.services { addKills(of: service, atMost: extent.kills, duringWork: work) }
        addTrouble(atMost: Int(extent.hours * Self.faultsPerHour))
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

    /// Adds kills and restarts, one after another; at the end the service runs.
    private mutating func addKills(of service: String, atMost most: Int, duringWork work: [Duration]) {
        // During work, or at any time.
        let times = (0..<most).compactMap { _ -> Duration? in
            guard chance.happens(0.5, "\(service) is killed, time #") else { return nil }
            return chance.number(below: 3, "\(service) is killed at any time") > 0
                ? troubleTime("\(service) is killed") : work[chance.number(below: work.count, "during work \(service)")]
        }
        var free = Duration.zero
        for time in times.sorted() where time >= free {
            lines.append((time, crashOrKill(service)))
            free = time + absence(of: service)
            lines.append((free, .start(service)))
            if chance.happens(0.25, "\(service) is killed while it starts") {
                lines.append((free, .crash(service, step: step(of: service))))
                free += absence(of: service)
                lines.append((free, .start(service)))
            }
        }
    }

    private mutating func troubleTime(_ subject: String) -> Duration {
        .milliseconds(chance.number(below: length, "when \(subject)"))
    }

    private mutating func absence(of service: String) -> Duration {
        .milliseconds(1 + chance.number(below: Self.pause, "absence of \(service)"))
    }

    private mutating func crashOrKill(_ service: String) -> TortureEvent {
        chance.happens(0.75, "\(service) is killed in mid-step")
            ? .crash(service, step: step(of: service)) : .kill(service)
    }

    /// Returns a step number; low ones are more frequent, as every activity has them.
    private mutating func step(of service: String) -> Int {
        let subject = "the step at which \(service) is killed"
        return 1 + chance.number(below: Self.steps, subject) * chance.number(below: Self.steps, subject) / Self.steps
    }

    private mutating func addTrouble(atMost most: Int) {
        for _ in 0..<most where chance.happens(0.5, "there is trouble #") { addFault() }
    }

    private mutating func addFault() {
        let service = Self.services[chance.number(below: 2, "of which service")]
        let begin = troubleTime("trouble begins")
        let end = begin + .milliseconds(1 + chance.number(below: Self.faultSpan, "how long trouble lasts"))
        switch chance.number(below: 4, "which trouble") {
        case 0:
            let preset = one(of: LinkPreset.allCases, "the link's condition")
            lines.append((begin, .condition(service, preset.condition)))
            lines.append((end, .condition(service, LinkPreset.perfect.condition)))
        case 1:
            let fault = one(of: DiskFault.allCases, "the disk's fault")
            let writes = chance.number(below: 100, "writes before the disk fails")
            lines.append((begin, .fault(service, .disk(fault, after: writes))))
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

    private mutating func one<Choice>(of choices: [Choice], _ subject: String) -> Choice {
        choices[chance.number(below: choices.count, subject)]
    }

    private mutating func rule() -> FaultRule {
        let delay = Duration.milliseconds(1 + chance.number(below: 20_000, "by how much packages are late"))
        let effect = one(of: [.drop, .delay(delay), .duplicate, .hold] as [FaultRule.Effect], "what befalls packages")
        return FaultRule(
            effect, one(of: FaultTarget.allCases, "which packages"), one(of: FaultRule.Direction.allCases, "which way"),
            FaultSelection(limit: 1 + chance.number(below: 3, "how many packages")))
    }
}
