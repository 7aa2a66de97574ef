package import LinkProtocol

/// What one seed does: who there is, and the steps of an hour. Node 0 is the phone, the others are its watches.
package struct Plan: Sendable {
    /// How long messages are sent and faults happen; what follows has none. An hour, with what must come to rest behind it.
    static let trouble: Duration = .seconds(3_600)
    /// Messages and transfers that a run means to send, and cancellations. 112: a hundred are left when a device that should
    /// send some stays down until the end.
    private static let messages = 112

    package let seed: UInt64
    package let watches: Int
    package let serving: CompanionPolicy.Serving
    package var steps: [Step]

    package init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        watches = random.happens(0.3) ? 2 : 1
        serving = random.happens(0.5) ? .active : .all
        steps = []
        let last = Self.trouble.inSeconds
        // Quiet seeds and wild ones: a fault that hides another is found by the quiet.
        let faults = Int(random.unit() * random.unit() * 60)
        let count = Self.messages + Int(random.unit() * 15)
        while steps.count < count {
            // Messages come in bursts, as apps send them; faults like to come with them.
            let time = random.unit() * last
            for index in 0..<(random.happens(0.2) ? 4 : 1) {
                add(time + Double(index) * random.unit() * 0.1, workload(&random))
            }
        }
        for step in steps where random.happens(Double(faults) / 130) {
            add(Double(step.time.nanoseconds) / 1e9 + random.unit() * 0.2, fault(&random))
        }
        for _ in 0..<(faults / 3) { add(random.unit() * last, fault(&random)) }
        for _ in 0..<(faults / 3) { add(random.unit() * last, life(&random)) }
        steps.sort { $0.time < $1.time }
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
        switch random.unit() {
        case ..<0.40: return .submit(watch: watch, isValid: random.unit() > 0.03)
        case ..<0.60: return .message(from: from, to: to, replies: random.unit() > 0.1)
        case ..<0.80: return .userInfo(from: from, to: to)
        case ..<0.83: return .complication(to: watch)
        case ..<0.94: return .context(from: from, to: to)
        case ..<0.97: return .file(from: from, to: to, chunks: Int(random.unit() * 12))
        default: return .cancel(from: from)
        }
    }

    private func life(_ random: inout SeededGenerator) -> Step.Deed {
        let watch = watch(&random)
        let states = ApplicationState.allCases
        switch random.unit() {
        case ..<0.45:
            return .enter(random.happens(0.4) ? 0 : watch, states[Int(random.unit() * Double(states.count))])
        case ..<0.70: return .wristDown(watch, random.happens(0.5))
        case ..<0.80: return .reboot
        case ..<0.90: return .unlock
        default: return .switchTo(watch)
        }
    }

    private func fault(_ random: inout SeededGenerator) -> Step.Deed {
        let watch = watch(&random)
        let node = random.happens(0.5) ? 0 : watch
        let span = Duration.nanoseconds(Int64(random.unit() * random.unit() * 120e9))
        switch random.unit() {
        case ..<0.35: return .crash(node, down: span)
        case ..<0.50: return .cut(watch: watch)
        case ..<0.58: return .ghost(watch: watch)
        case ..<0.66: return .linkUp(watch: watch, random.happens(0.5))
        case ..<0.74: return .stall(watch: watch, span)
        case ..<0.80: return .latency(.nanoseconds(Int64(random.unit() * random.unit() * 3e9)))
        case ..<0.88: return .diskFull(node, span, failures: random.happens(0.5) ? 1 : 0.5)
        case ..<0.93: return .pause(node, span)
        case ..<0.97: return .clockJump(node, seconds: (random.unit() - 0.5) * 200_000)
        default: return .upgrade(node, others: span)
        }
    }
}
