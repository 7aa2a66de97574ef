import Testing

@testable import VirtualTime

@Suite("Hazards of programs")
struct HazardPlanTests {
    private static let phone = Program(name: "phone", executable: "/bin/true")
    private static let second: Int64 = 1_000_000_000

    /// Returns the deeds, with their instants, for a program that ends only on demand, and crashes immediately.
    private func course(
        _ hazard: Hazard, _ source: inout DecisionSource, end: Duration = .seconds(3_600)
    ) -> [(Int64, Deed)] {
        var plan = HazardPlan([hazard], end: end)
        var deeds: [(Int64, Deed)] = []
        plan.started(Self.phone, at: 0, &source)
        while plan.nextInstant < .max {
            let now = plan.nextInstant
            #expect(plan.next(at: now - 1, &source) == nil, "nothing is done before its time")
            guard let deed = plan.next(at: now, &source) else { break }
            deeds.append((now, deed))
            if case .start(let program) = deed {
                plan.started(program, at: now, &source)
            } else {
                plan.ended(deed.name, isKilled: true, at: now, &source)
            }
        }
        return deeds
    }

    private func course(_ hazard: Hazard, seed: UInt64, end: Duration = .seconds(3_600)) -> [(Int64, Deed)] {
        var source = DecisionSource(Course(seed: seed))
        return course(hazard, &source, end: end)
    }

    private static func decision(
        _ kind: DecisionKind, _ subject: String, _ options: Int, taken: Int, ordinal: UInt32 = 0
    ) throws -> Decision {
        let place = Place(site: DecisionSource.site(of: kind, about: subject, at: 0), ordinal: ordinal)
        return try Decision(kind, options: UInt32(options), taken: UInt32(taken), at: place)
    }

    /// Decisions that kill a program soon after its start.
    private static func soon() throws -> DecisionSource {
        let soon = try decision(.fault, KillPlan.kill(of: "phone"), HazardPlan.instants + 1, taken: 1)
        return DecisionSource(Course(seed: 1, following: [soon], then: .dull))
    }

    @Test("Dull decisions kill no program, whatever the hazard")
    func dull() throws {
        var source = DecisionSource(Course(seed: 1, following: [Decision](), then: .dull))
        #expect(course(Hazard("phone", kills: 1_000), &source).isEmpty)
        #expect(source.decisions.map(\.kind) == [.fault])
    }

    @Test("Decisions give the instant, the step and the absence; the next questions follow at the next start")
    func given() throws {
        let (instants, steps, hour) = (HazardPlan.instants, KillPlan.steps, 3_600 * Self.second)
        let hazard = Hazard("phone", kills: 5, pause: .seconds(2)...(.seconds(12)))
        let decisions = [
            try Self.decision(.fault, KillPlan.kill(of: "phone"), instants + 1, taken: instants / 2),
            try Self.decision(.fault, KillPlan.step(of: "phone"), steps, taken: 34),
            try Self.decision(.latency, KillPlan.absence(of: "phone"), 10_001, taken: 3_000),
            try Self.decision(.fault, KillPlan.kill(of: "phone"), instants + 1, taken: instants - 1, ordinal: 1),
        ]
        var source = DecisionSource(Course(seed: 1, following: decisions, then: .dull))
        let deeds = course(hazard, &source)
        let room = hour - 12 * Self.second
        let restart = room / 2 + 5 * Self.second
        let second = restart + Int64(Double(room - restart) * Double(instants - 1) / Double(instants))
        // Without a given decision, the kill is immediate and the absence is the shortest.
        #expect(
            deeds.map(\.1) == [
                .crash("phone", step: 40), .start(Self.phone), .kill("phone"), .start(Self.phone),
            ])
        #expect(deeds.map(\.0) == [room / 2, restart, second, second + 2 * Self.second])
        #expect(source.decisions.prefix(4) == decisions[...], "what is asked is what was given")
    }

    @Test(
        "Decisions give the times and lengths of full disks, and the times and shifts of clocks; restarts ask nothing"
    )
    func surroundings() throws {
        let hour = 3_600 * Self.second
        let instants = HazardPlan.instants
        let (full, clock) = (DiskPlan.full(of: "phone"), ClockPlan.clock(of: "phone"))
        let decisions = [
            try Self.decision(.fault, full, instants + 1, taken: instants / 4),
            try Self.decision(.fault, clock, instants + 1, taken: instants / 2),
            try Self.decision(.latency, DiskPlan.span(of: "phone"), DiskPlan.spans, taken: 59),
            try Self.decision(.fault, full, instants + 1, taken: instants / 2, ordinal: 1),
            try Self.decision(.latency, ClockPlan.jump(of: "phone"), ClockPlan.jumps.count, taken: 5),
        ]
        var source = DecisionSource(Course(seed: 1, following: decisions, then: .dull))
        var plan = HazardPlan([Hazard("phone", kills: 0, diskFills: 2, clockJumps: 1)], end: .seconds(3_600))
        plan.started(Self.phone, at: 0, &source)
        plan.ended("phone", isKilled: true, at: 1, &source)
        plan.started(Self.phone, at: 1, &source)
        plan.spare("phone")
        var deeds: [(Int64, Deed)] = []
        while plan.nextInstant < .max {
            let now = plan.nextInstant
            deeds.append((now, try #require(plan.next(at: now, &source))))
        }
        let (fills, isGood) = (hour / 4, hour / 4 + 60 * Self.second)
        let again = isGood + (hour - isGood) / 2
        #expect(
            deeds.map(\.1) == [
                .disk("phone", isFull: true), .disk("phone", isFull: false), .clock("phone", by: .seconds(-3_600)),
                .disk("phone", isFull: true), .disk("phone", isFull: false),
            ])
        #expect(deeds.map(\.0) == [fills, isGood, hour / 2, again, again + Self.second])
        #expect(source.decisions.prefix(5) == decisions[...], "what is asked is what was given")
    }

    @Test(
        "Disks fill up and clocks are set at most as often as allowed, within the hazard; at its end the disk has space"
    )
    func mostTroubles() {
        let until: Duration = .seconds(1_000)
        var counts: Set<[Int]> = []
        for seed in 1...200 as ClosedRange<UInt64> {
            let deeds = course(Hazard("phone", kills: 0, until: until, diskFills: 2, clockJumps: 3), seed: seed)
            let fills = deeds.count { $0.1 == .disk("phone", isFull: true) }
            #expect(deeds.count { $0.1 == .disk("phone", isFull: false) } == fills)
            counts.insert([fills, deeds.count - 2 * fills])
            #expect(deeds.allSatisfy { $0.0 <= until.nanoseconds }, "seed \(seed): \(deeds.map(\.0))")
        }
        #expect(counts == Set((0...2).flatMap { fills in (0...3).map { [fills, $0] } }))
        var dull = DecisionSource(Course(seed: 1, following: [Decision](), then: .dull))
        #expect(course(Hazard("phone", kills: 0, diskFills: 1_000, clockJumps: 1_000), &dull).isEmpty)
    }

    @Test("Steps grow with their numbers, one by one at first, to about a thousand")
    func steps() {
        let steps = (0..<KillPlan.steps).map { KillPlan.step($0) }
        #expect(steps.prefix(33) == Array(0...32)[...])
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 && $1 <= $0 + max(1, $0 / 8) }, "\(steps)")
        #expect((900...1_300).contains(steps[steps.count - 1]), "\(steps)")
    }

    @Test("Seeds kill at most as often as allowed, never after the end of the hazard, and reach every allowed number")
    func seeds() {
        let until: Duration = .seconds(1_000)
        let hazard = Hazard("phone", kills: 3, pause: .seconds(1)...(.seconds(100)), until: until)
        var counts: Set<Int> = []
        for seed in 1...200 as ClosedRange<UInt64> {
            let deeds = course(hazard, seed: seed)
            let starts = deeds.count { if case .start = $0.1 { true } else { false } }
            counts.insert(starts)
            #expect(deeds.count == 2 * starts, "seed \(seed): who is killed starts again")
            #expect(zip(deeds, deeds.dropFirst()).allSatisfy { $0.0 < $1.0 }, "seed \(seed): \(deeds.map(\.0))")
            #expect(deeds.allSatisfy { $0.0 <= until.nanoseconds }, "seed \(seed): \(deeds.map(\.0))")
        }
        #expect(counts == [0, 1, 2, 3])
    }

    @Test("Without time for the longest absence, no program is killed and nothing is asked")
    func noTime() {
        let pause: ClosedRange<Duration> = .zero...(.seconds(60))
        for seed in 1...50 as ClosedRange<UInt64> {
            var source = DecisionSource(Course(seed: seed))
            #expect(course(Hazard("phone", pause: pause), &source, end: .seconds(60)).isEmpty)
            #expect(source.decisions.isEmpty)
        }
        let deeds = (1...50 as ClosedRange<UInt64>).map {
            course(Hazard("phone", pause: pause), seed: $0, end: .seconds(61)).count
        }
        #expect(deeds.contains { $0 > 0 }, "\(deeds)")
    }

    @Test("A kill is cancelled if the program does not reach its step while there is time for the longest absence")
    func spared() throws {
        var source = DecisionSource(
            Course(
                seed: 1,
                following: [
                    try Self.decision(.fault, KillPlan.kill(of: "phone"), HazardPlan.instants + 1, taken: 1),
                    try Self.decision(.fault, KillPlan.step(of: "phone"), KillPlan.steps, taken: 5),
                ], then: .dull))
        var plan = HazardPlan([Hazard("phone", pause: .zero...(.seconds(100)))], end: .seconds(1_000))
        plan.started(Self.phone, at: 0, &source)
        #expect(plan.next(at: plan.nextInstant, &source) == .crash("phone", step: 5))
        #expect(plan.nextInstant == 900 * Self.second)
        #expect(plan.next(at: plan.nextInstant, &source) == .crash("phone", step: .max))
        #expect(plan.nextInstant == .max)
        plan.ended("phone", isKilled: true, at: 950 * Self.second, &source)
        #expect(plan.nextInstant == .max, "it was spared, and is started again")
    }

    @Test("A program that ends by itself is neither killed nor restarted")
    func ended() throws {
        var plan = HazardPlan([Hazard("phone")], end: .seconds(3_600))
        var source = try Self.soon()
        plan.started(Self.phone, at: 0, &source)
        #expect(plan.nextInstant < .max)
        plan.ended("phone", isKilled: false, at: 1, &source)
        #expect(plan.nextInstant == .max)
        source = try Self.soon()
        plan.started(Self.phone, at: 0, &source)
        _ = plan.next(at: plan.nextInstant, &source)
        plan.ended("phone", isKilled: false, at: 2, &source)
        #expect(plan.nextInstant == .max, "it ended by itself before its step, and is started again")
    }

    @Test("A deed of the script cancels the pending deeds of the hazard")
    func script() throws {
        var plan = HazardPlan([Hazard("phone")], end: .seconds(3_600))
        var source = try Self.soon()
        plan.started(Self.phone, at: 0, &source)
        plan.spare("phone")
        #expect(plan.nextInstant == .max, "it is killed all the same")

        source = try Self.soon()
        plan.started(Self.phone, at: 0, &source)
        let now = plan.nextInstant
        #expect(plan.next(at: now, &source) == .kill("phone"))
        plan.ended("phone", isKilled: true, at: now, &source)
        #expect(plan.nextInstant < .max)
        plan.spare("phone")
        #expect(plan.nextInstant == .max, "the script killed it, and it is started again")
        plan.ended("other", isKilled: true, at: now, &source)
        #expect(plan.nextInstant == .max, "a program without a hazard has one")
    }

    @Test("The restarted program is the one that was killed, even after an upgrade")
    func upgrade() throws {
        var plan = HazardPlan([Hazard("phone", kills: 9)], end: .seconds(3_600))
        var dull = DecisionSource(Course(seed: 1, following: [Decision](), then: .dull))
        plan.started(Self.phone, at: 0, &dull)
        let upgrade = Program(name: "phone", executable: "/bin/false")
        var source = try Self.soon()
        plan.started(upgrade, at: 1, &source)
        #expect(plan.next(at: plan.nextInstant, &source) == .kill("phone"))
        plan.ended("phone", isKilled: true, at: 2, &source)
        #expect(plan.next(at: plan.nextInstant, &source) == .start(upgrade))
    }
}
