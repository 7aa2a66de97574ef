package import LinkProtocol

/// The course of one seed: the devices, and the steps of an hour. Node 0 is the phone, the others are its watches.
package struct Plan: Sendable {
    /// The time of messages and faults, one hour; the rest of the run has no faults, so that everything can settle.
    static let trouble: Duration = .seconds(3_600)
    /// The largest of many files in a row, in halves of a piece. 11: half a dozen pieces, fewer than may be under way.
    private static let mostOfMany = 11
    /// The number of messages, transfers and cancellations a run means to send. 122 leave a hundred when a sending
    /// device stays down until the end.
    private static let messages = 122

    /// The bits of a step's place, of which a plan has some hundreds.
    private static let placeBits = 20
    /// The room for steps. 512: few plans have more, and steps are large to move.
    private static let firstRoom = 512

    package let seed: UInt64
    package let watches: Int
    package let serving: CompanionPolicy.Serving
    /// The time at which a watch first appears: items that the phone queued before are for the first watch it meets.
    package let meeting: Duration
    /// The bytes that each package counts as, so that some seeds meet the limit of what a device takes in.
    let weight: Int
    /// The transfers for which an inbox has room; nil for as many as there are.
    let inboxRoom: Int?
    /// The longest extra time of every disk operation, after the faults as well.
    let slowness: Duration
    /// The way in which the phone pairs watches.
    let pairing: CompanionPolicy.Pairing
    /// True if a program speaks only its own version of the protocol.
    let speaksOneVersion: Bool
    package var steps: [Step]

    package init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        watches = random.happens(0.3) ? 2 : 1
        serving = random.happens(0.5) ? .active : .all
        // With two watches, the first to appear would get items meant for the other.
        meeting = watches == 1 && random.happens(0.2) ? .seconds(random.unit() * 600) : .zero
        weight = random.happens(0.08) ? LinkLimits.undeliveredBytes / (2 + Int(random.unit() * 5)) : 0
        inboxRoom = random.happens(0.05) ? 2 + Int(random.unit() * 6) : nil
        slowness = random.happens(0.08) ? .seconds(random.unit() * 2) : .zero
        let ways = CompanionPolicy.Pairing.allCases
        pairing = random.happens(0.2) ? ways[Int(random.unit() * Double(ways.count))] : .automatic
        speaksOneVersion = random.happens(0.2)
        steps = []
        steps.reserveCapacity(Self.firstRoom)
        let last = Self.trouble.inSeconds
        // Some seeds are quiet and some wild: a fault that hides another shows only in a quiet seed.
        let faults = Int(random.unit() * random.unit() * 60)
        var count = Self.messages + Int(random.unit() * 15)
        for _ in 0..<(faults == 0 ? 0 : Int(random.unit() * 4)) { count += storm(&random) }
        while steps.count < count {
            // Messages come in bursts, as apps send them, often of one kind; faults tend to come with them.
            let time = random.unit() * last
            let (deed, isOfOneKind) = (workload(&random), random.happens(0.6))
            for index in 0..<(random.happens(0.2) ? 2 + Int(random.unit() * 10) : 1) {
                let next = index == 0 ? deed : isOfOneKind ? Self.oneOfMany(deed) : workload(&random)
                add(time + Double(index) * random.unit() * 0.1, next)
            }
        }
        // People and the system also act on an app while it is busy.
        for step in steps where random.happens(Double(faults) / 90) {
            let deed = random.happens(0.3) ? life(&random) : fault(&random)
            add(Double(step.time.nanoseconds) / 1e9 + random.unit() * 0.2, deed)
        }
        for _ in 0..<(faults / 3) { add(random.unit() * last, fault(&random)) }
        for _ in 0..<(faults / 3) { add(random.unit() * last, life(&random)) }
        if meeting > .zero { meet(&random) }
        if watches == 2, random.happens(0.1) { loseAppBesideFiles(&random) }
        // By numbers of their times and places: steps are large. An hour has fewer nanoseconds than 2 to the power of 42.
        let order = steps.indices.map { steps[$0].time.nanoseconds << Self.placeBits | Int64($0) }.sorted()
        steps = order.map { steps[Int($0 & (1 << Self.placeBits - 1))] }
    }

    /// Returns a deed that happens many times in a row. Many large files would take minutes, for which calm weather does not
    /// allow.
    private static func oneOfMany(_ deed: Step.Deed) -> Step.Deed {
        guard case .file(let from, let to, let chunks) = deed else { return deed }
        return .file(from: from, to: to, chunks: min(chunks, mostOfMany))
    }

    /// Adds some seconds in which an app queues many items of one kind while its link breaks and recovers, its disk is
    /// busy, and people use the devices, so that work begun on one connection ends on the next.
    ///
    /// - Returns: The number of its steps that send nothing.
    private mutating func storm(_ random: inout SeededGenerator) -> Int {
        let (start, span) = (random.unit() * Self.trouble.inSeconds, 1 + random.unit() * 3)
        let watch = watch(&random)
        let (node, other) = random.happens(0.5) ? (0, watch) : (watch, 0)
        var deed = workload(&random, from: node, to: other, watch)
        if random.happens(0.02) { deed = .file(from: node, to: other, chunks: 4 + Int(random.unit() * 8)) }
        deed = Self.oneOfMany(deed)
        let isOfOneKind = random.happens(0.7)
        // Rarely more at a time than a delegate or a link gets.
        var crowd = random.happens(0.003) ? 70 : 0
        if case .cancel = deed { crowd = 0 }
        for _ in 0..<(crowd + 5 + Int(random.unit() * 8)) {
            add(start + random.unit() * span, isOfOneKind ? deed : workload(&random, from: node, to: other, watch))
        }
        let sent = steps.count
        for node in [node, other] where random.happens(0.5) {
            add(start, .diskBusy(node, .seconds(span), slowness: .seconds(0.1 + random.unit() * 2)))
        }
        for _ in 0..<(2 + Int(random.unit() * 5)) {
            let time = start + random.unit() * span
            switch random.unit() {
            case ..<0.35: add(time, .cut(watch: watch))
            case ..<0.45:
                add(time, .device(watch, .linkDown))
                add(time + random.unit(), .device(watch, .linkUp))
            case ..<0.55: add(time, .diskFull(node, .seconds(random.unit()), failures: random.happens(0.5) ? 1 : 0.5))
            case ..<0.63: add(time, .crash(node, down: .seconds(random.unit())))
            case ..<0.80:
                // The app ends, and runs again while the cleanup is in progress.
                let device = random.happens(0.5) ? node : other
                add(time, .device(device, random.happens(0.7) ? .terminated : .suspended))
                add(time + random.unit() * random.unit(), .device(device, .foreground))
                add(time + random.unit() * random.unit(), .activate(device))
            case ..<0.94:
                // The phone accepts nothing for a moment, and then later items.
                add(time, random.happens(0.5) || watches == 1 ? .device(0, .reboot) : .watch(3 - watch, .switchTo))
                add(time + random.unit() * random.unit() * 0.5, .device(0, .unlock))
                add(time + random.unit() * random.unit() * 0.5, .watch(watch, .switchTo))
            case ..<0.96: add(time, life(&random))
            default: add(time, fault(&random))
            }
        }
        return steps.count - sent
    }

    /// Adds steps in which the phone queues for a watch not met yet, and its disk may be full when the watch appears.
    private mutating func meet(_ random: inout SeededGenerator) {
        let time = meeting.inSeconds
        for deed: Step.Deed in [.userInfo(from: 0, to: 1), .context(from: 0, to: 1), .userInfo(from: 0, to: 1)] {
            add(random.unit() * time, deed)
            add(time + random.unit() * 3, deed)
        }
        if random.happens(0.4) { add(time - 1, .diskBusy(0, .seconds(6), slowness: .seconds(random.unit() * 4))) }
        guard random.happens(0.5) else { return }
        let span = Duration.seconds(random.unit() * 5)
        add(time - random.unit() * 0.1, .diskFull(0, span, failures: random.happens(0.5) ? 1 : 0.5))
    }

    /// Adds steps in which both watches send files while one of them loses its app: the other one's files go on.
    private mutating func loseAppBesideFiles(_ random: inout SeededGenerator) {
        let time = random.unit() * Self.trouble.inSeconds
        let (watch, other) = random.happens(0.5) ? (1, 2) : (2, 1)
        for sender in [watch, other] { add(time + random.unit() * 0.1, .file(from: sender, to: 0, chunks: 12)) }
        add(time + 0.1 + random.unit() * 0.7, .withoutApp(watch: watch, onPhone: random.happens(0.5), absence(&random)))
    }

    private mutating func add(_ seconds: Double, _ deed: Step.Deed) {
        let time = MonotonicTime(nanoseconds: Int64(min(seconds, Self.trouble.inSeconds) * 1e9))
        steps.append(Step(time: time, deed: deed))
    }

    // MARK: - Draws

    private func watch(_ random: inout SeededGenerator) -> Int { 1 + Int(random.unit() * Double(watches)) }

    private func workload(_ random: inout SeededGenerator) -> Step.Deed {
        let watch = watch(&random)
        let (from, to) = random.happens(0.5) ? (0, watch) : (watch, 0)
        return workload(&random, from: from, to: to, watch)
    }

    private func workload(_ random: inout SeededGenerator, from: Int, to: Int, _ watch: Int) -> Step.Deed {
        switch random.unit() {
        case ..<0.40: return .submit(watch: watch, isValid: random.unit() > 0.03)
        case ..<0.60: return .message(from: from, to: to, replies: random.unit() > 0.1)
        case ..<0.80: return .userInfo(from: from, to: to)
        case ..<0.83: return .complication(to: watch)
        case ..<0.94: return .context(from: from, to: to)
        case ..<0.97:
            // Most are small; one in eight has more pieces than may be under way.
            let share = random.unit()
            return .file(from: from, to: to, chunks: Int(share * share * share * 24))
        default: return .cancel(from: from)
        }
    }

    private func life(_ random: inout SeededGenerator) -> Step.Deed {
        let watch = watch(&random)
        let states = ApplicationState.allCases
        switch random.unit() {
        case ..<0.40:
            let node = random.happens(0.4) ? 0 : watch
            return .device(node, DeviceDeed(states[Int(random.unit() * Double(states.count))]))
        case ..<0.60: return .device(watch, random.happens(0.5) ? .wristDown : .wristUp)
        case ..<0.65: return .device(watch, random.happens(0.5) ? .workoutStart : .workoutEnd)
        case ..<0.73: return .device(0, .reboot)
        case ..<0.78: return .device(0, .unlock)
        case ..<0.85: return .activate(random.happens(0.5) ? 0 : watch)
        case ..<0.92: return .watch(watch, .switchTo)
        case ..<0.935: return .watch(watch, .complication(isEnabled: random.happens(0.5)))
        case ..<0.945: return .phoneWithoutApp(absence(&random))
        case ..<0.97: return .withoutApp(watch: watch, onPhone: random.happens(0.5), absence(&random))
        default: return .unpaired(watch: watch, absence(&random))
        }
    }

    /// Returns the time for which a watch or its app is away.
    private func absence(_ random: inout SeededGenerator) -> Duration {
        .seconds(random.unit() * random.unit() * 120)
    }

    private func fault(_ random: inout SeededGenerator) -> Step.Deed {
        let watch = watch(&random)
        let node = random.happens(0.5) ? 0 : watch
        let span = Duration.nanoseconds(Int64(random.unit() * random.unit() * 120e9))
        switch random.unit() {
        case ..<0.27: return .crash(node, down: span)
        case ..<0.40: return .cut(watch: watch)
        case ..<0.46: return .ghost(watch: watch)
        case ..<0.52: return .device(watch, random.happens(0.5) ? .linkUp : .linkDown)
        case ..<0.62: return .packages(node, rule(&random), span * 2)
        case ..<0.66: return .reachability(node, reachability(&random), span)
        case ..<0.74: return .stall(watch: watch, span)
        case ..<0.80: return .latency(.nanoseconds(Int64(random.unit() * random.unit() * 3e9)))
        case ..<0.85: return .diskFull(node, span, failures: random.happens(0.5) ? 1 : 0.5)
        case ..<0.88: return .diskBusy(node, span, slowness: .seconds(random.unit() * random.unit() * 3))
        case ..<0.93: return .pause(node, span)
        case ..<0.97: return .clockJump(node, seconds: (random.unit() - 0.5) * 200_000)
        default: return .upgrade(node, others: span)
        }
    }

    /// Returns a random rule. State packages are never dropped: a peer sends its state once, on a lossless link.
    private func rule(_ random: inout SeededGenerator) -> FaultRule {
        let targets: [FaultTarget] = [.message, .reply, .context, .userInfo, .file, .acknowledgement, .state]
        let target = targets[Int(random.unit() * Double(targets.count))]
        let span = Duration.seconds(random.unit() * random.unit() * 90)
        let effect: FaultRule.Effect =
            switch random.unit() {
            case ..<0.3: target == .state ? .duplicate : .drop
            case ..<0.5: .duplicate
            case ..<0.75: .delay(span)
            case ..<0.9: .hold
            default: .lose(span)
            }
        let count = 1 + Int(random.unit() * 4)
        let selection =
            switch random.unit() {
            case ..<0.15: FaultSelection(nth: count)
            case ..<0.3: FaultSelection(limit: count)
            case ..<0.6: FaultSelection()
            default: FaultSelection(probability: 0.2)
            }
        // A receiver can use an incoming piece of a file only immediately: later its bytes are gone.
        let isOutgoing = target == .file || random.happens(0.5)
        return FaultRule(effect, target, isOutgoing ? .outgoing : .incoming, selection)
    }

    private func reachability(_ random: inout SeededGenerator) -> ReachabilityFault {
        let ideas = ReachabilityFault.Idea.allCases
        let period = random.happens(0.3) ? Duration.seconds(1 + random.unit() * 10) : nil
        return ReachabilityFault(ideas[Int(random.unit() * Double(ideas.count))], flapPeriod: period)
    }
}
