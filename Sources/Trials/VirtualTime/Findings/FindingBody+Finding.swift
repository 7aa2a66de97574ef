extension FindingBody {
    init(_ finding: Finding) {
        self.init(
            builds: finding.builds, settings: finding.settings, script: finding.script.map { Script($0) },
            courses: finding.courses.map { Course($0) }, ending: Ending(finding.ending),
            words: finding.words.isEmpty ? nil : finding.words)
        for (index, life) in finding.lives.enumerated() where index + 1 < courses.count {
            (courses[index + 1].name, courses[index + 1].life) = (life.name, life.number)
        }
    }

    func finding() throws -> Finding {
        let script = try script.map { try $0.script() }
        return Finding(
            builds: builds, settings: settings, script: script, courses: try courses.map { try $0.course() },
            lives: script == nil ? [] : try lives(), ending: try ending.ending(), words: words ?? [])
    }

    /// The processes of the courses after the conductor's.
    private func lives() throws -> [Life] {
        let lives = courses.dropFirst().compactMap { course in
            course.name.flatMap { name in course.life.map { Life(name, $0) } }
        }
        guard lives.count == max(0, courses.count - 1), Set(lives).count == lives.count else {
            throw FindingError.Reason.damaged(
                "each course after the first must have the “name” and “life” of a process")
        }
        return lives
    }
}

extension FindingBody.Script {
    fileprivate init(_ script: Script) {
        self.init(
            lines: script.lines.map { Line($0) }, end: script.end.nanoseconds,
            direction: script.direction.map { .init(director: $0.director, cast: $0.cast.map { .init($0) }) },
            hazards: script.hazards.isEmpty ? nil : script.hazards.map { Hazard($0) })
    }

    fileprivate func script() throws -> Script {
        try Script(
            try lines.map { try $0.line() }, end: .nanoseconds(end),
            direction: direction.map { .init(director: $0.director, cast: $0.cast.map { $0.program }) },
            hazards: try hazards?.map { try $0.hazard() } ?? [])
    }
}

extension FindingBody.Script.Program {
    fileprivate init(_ program: Program) {
        self.init(
            name: program.name, executable: program.executable, arguments: program.arguments,
            environment: program.environment)
    }

    fileprivate var program: Program {
        Program(name: name, executable: executable, arguments: arguments, environment: environment)
    }
}

extension FindingBody.Script.Hazard {
    fileprivate init(_ hazard: Hazard) {
        self.init(
            name: hazard.name, kills: hazard.kills, shortest: hazard.pause.lowerBound.nanoseconds,
            longest: hazard.pause.upperBound.nanoseconds, until: hazard.until?.nanoseconds,
            diskFills: hazard.diskFills == 0 ? nil : hazard.diskFills,
            clockJumps: hazard.clockJumps == 0 ? nil : hazard.clockJumps, cutsPower: hazard.cutsPower ? true : nil)
    }

    fileprivate func hazard() throws -> Hazard {
        guard shortest <= longest else {
            throw FindingError.Reason.damaged("the hazard of “\(name)” has a “shortest” that is above its “longest”")
        }
        return Hazard(
            name, kills: kills, pause: .nanoseconds(shortest)...(.nanoseconds(longest)),
            until: until.map { .nanoseconds($0) }, diskFills: diskFills ?? 0, clockJumps: clockJumps ?? 0,
            cutsPower: cutsPower ?? false)
    }
}

extension FindingBody.Script.Line {
    fileprivate init(_ line: Script.Line) {
        let at = line.time.nanoseconds
        switch line.deed {
        case .start(let program):
            self.init(at: at, start: .init(program))
        case .kill(let name):
            self.init(at: at, kill: name)
        case .cutPower(let name):
            self.init(at: at, cutPower: name)
        case .crash(let name, let step):
            self.init(at: at, crash: name, step: step)
        case .end(let name):
            self.init(at: at, end: name)
        case .disk(let name, let isFull):
            self.init(at: at, disk: name, isFull: isFull)
        case .clock(let name, let by):
            self.init(at: at, clock: name, by: by.nanoseconds)
        }
    }

    fileprivate func line() throws -> Script.Line {
        let deeds: [Deed?] = [
            start.map { .start($0.program) }, kill.map { .kill($0) }, cutPower.map { .cutPower($0) },
            crash.flatMap { name in step.map { .crash(name, step: $0) } }, end.map { .end($0) },
            disk.flatMap { name in isFull.map { .disk(name, isFull: $0) } },
            clock.flatMap { name in by.map { .clock(name, by: .nanoseconds($0)) } },
        ]
        let said = deeds.compactMap(\.self)
        guard said.count == 1, let deed = said.first, (crash == nil) == (step == nil),
            (disk == nil) == (isFull == nil), (clock == nil) == (by == nil)
        else {
            throw FindingError.Reason.damaged(
                "a line of the script must have exactly one of “start”, “kill”, “cutPower”, “end”, “crash” with “step”, "
                    + "“disk” with “isFull”, and “clock” with “by”")
        }
        return Script.Line(at: .nanoseconds(at), deed)
    }
}

extension FindingBody.Course {
    fileprivate init(_ course: Course) {
        self.init(
            seed: course.seed, strategy: FindingBody.Strategy(course.strategy), given: course.given,
            then: course.remainder,
            decisions: course.departures.map { FindingBody.Decision($0) })
    }

    fileprivate func course() throws -> Course {
        try Course(
            seed: seed, strategy: try strategy.strategy(), departures: try decisions.map { try $0.departure() },
            given: given, then: then)
    }
}

extension FindingBody.Decision {
    fileprivate init(_ departure: Departure) {
        let (decision, circumstance) = (departure.decision, departure.circumstance)
        self.init(
            at: departure.index, kind: decision.kind.name, options: decision.options, taken: decision.taken,
            site: String(decision.place.site, radix: 16), ordinal: decision.place.ordinal, time: circumstance?.time,
            subject: circumstance?.subject, thread: circumstance?.thread, chosen: circumstance?.chosen)
    }

    private var circumstance: Circumstance? {
        time.map { Circumstance(time: $0, subject: subject ?? "", thread: thread, chosen: chosen) }
    }

    fileprivate func departure() throws -> Departure {
        guard let kind = DecisionKind(name: kind) else {
            let names = DecisionKind.allCases.map(\.name).joined(separator: ", ")
            throw FindingError.Reason.damaged("decision \(at) has the unknown kind “\(kind)”; expected one of \(names)")
        }
        guard let site = UInt64(site, radix: 16) else {
            throw FindingError.Reason.damaged(
                "decision \(at) has the site “\(site)”: it must have up to 16 hexadecimal digits")
        }
        let place = Place(site: site, ordinal: ordinal)
        return Departure(at: at, try Decision(kind, options: options, taken: taken, at: place), circumstance)
    }
}

extension FindingBody.Strategy {
    private static let (random, priorities) = ("random", "priorities")

    fileprivate init(_ strategy: Strategy) {
        switch strategy {
        case .random: self.init(name: Self.random)
        case .priorities(let depth, let steps): self.init(name: Self.priorities, depth: depth, steps: steps)
        }
    }

    fileprivate func strategy() throws -> Strategy {
        switch (name, depth, steps) {
        case (Self.random, nil, nil): return .random
        case (Self.priorities, let depth?, let steps?):
            return try Strategy.priorities(depth: depth, steps: steps).validated()
        default:
            throw FindingError.Reason.damaged(
                "the strategy “\(name)”: expected “\(Self.random)” without “depth” and “steps”, "
                    + "or “\(Self.priorities)” with both")
        }
    }
}

extension FindingBody.Ending {
    fileprivate init(_ ending: Ending) {
        switch ending {
        case .finished: self.init(name: "finished")
        case .failed(let text): self.init(name: "failed", text: text)
        case .deadlock(let text): self.init(name: "dead-lock", text: text)
        case .uncontrolledCall(let text): self.init(name: "uncontrolled call", text: text)
        case .spinning(let text): self.init(name: "spinning", text: text)
        case .horizon: self.init(name: "horizon")
        case .exited(let code): self.init(name: "exited", number: code)
        case .killed(let signal): self.init(name: "killed", number: signal)
        case .exhausted(let text): self.init(name: "exhausted", text: text)
        case .damaged(let text): self.init(name: "damaged", text: text)
        case .overdue: self.init(name: "overdue")
        }
    }

    fileprivate func ending() throws -> Ending {
        switch (name, text, number) {
        case ("finished", nil, nil): return .finished
        case ("failed", let text?, nil): return .failed(text)
        case ("dead-lock", let text?, nil): return .deadlock(text)
        case ("uncontrolled call", let text?, nil): return .uncontrolledCall(text)
        case ("spinning", let text?, nil): return .spinning(text)
        case ("horizon", nil, nil): return .horizon
        case ("exited", nil, let code?): return .exited(code: code)
        case ("killed", nil, let signal?): return .killed(signal: signal)
        case ("exhausted", let text?, nil): return .exhausted(text)
        case ("damaged", let text?, nil): return .damaged(text)
        case ("overdue", nil, nil): return .overdue
        default:
            throw FindingError.Reason.damaged("“\(name)” is not an ending with this text and number")
        }
    }
}
