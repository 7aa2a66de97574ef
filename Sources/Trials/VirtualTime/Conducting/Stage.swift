import CVirtualTime
import Foundation

/// A performance in progress: the running programs, and the time that they share.
// Used by the conducting thread only.
final class Stage {
    /// A process and its last report.
    private final class Player {
        let process: ConductedProcess
        let number: Int
        let life: Life
        let start: Int64
        let course: Course
        /// The time at which its next timer is due.
        var deadline = Int64.max
        /// A counter of its activity; nil before its first turn, in which it is always active.
        var activity: UInt64?
        /// True if it needs a turn now, whatever its descriptors show.
        var mustLook = true
        /// True if another process was active since its last turn, so that its descriptors may have become ready.
        var mayLook = false
        /// True if its descriptors show all that can happen to it, but for signals and the passing of time.
        var isWatched = false
        /// The signal to deliver with its next turn, and the step at which to kill it.
        var signal: Int32 = 0
        var stepsToLive: UInt64 = 0
        /// The signal that was sent to end it.
        var wantedEnd: Int32?
        /// The director's output; nil for other processes.
        var lines: OutputLines?
        /// Its standard error, if its complaints are noted.
        var errors: OutputLines?
        var complaints: [ComplaintWord] = []
        /// True if its process sees when another one needs a turn.
        var observesOthers = true

        init(_ process: ConductedProcess, number: Int, _ life: Life, start: Int64, _ course: Course) {
            (self.process, self.number, self.life, self.start, self.course) = (process, number, life, start, course)
        }
    }

    /// The most turns in a second of virtual time. 200,000: the programs wake each other endlessly, and the time advances by the
    /// cost of their calls only; at some ten thousand turns a second of real time, nobody would wait for the end of a simulated hour.
    private static let mostTurnsInASecond = 200_000
    private static let second: Int64 = 1_000_000_000

    /// A day, in nanoseconds: no program computes for that long in one turn.
    private static let lead: Int64 = 86_400_000_000_000

    private let conductor: Conductor
    private let script: Script
    private let course: JointCourse
    private let files: StageFiles
    private let end: Int64
    private var source: DecisionSource
    private var lines: ArraySlice<Script.Line>
    private var hazards: HazardPlan
    private var players: [Player] = []
    /// The surroundings of each role, by name.
    private var surroundings: [String: Surroundings] = [:]
    private var outcomes: [ProcessOutcome?] = []
    /// The deeds of hazards.
    private var deeds: [Script.Line] = []
    /// The number of starts of each role.
    private var starts: [String: Int] = [:]
    private var now: Int64 = 0
    private var rounds = 0
    /// The turns since the beginning of a second, and the time of that.
    private var (turnsInASecond, secondBegan): (Int, Int64) = (0, 0)
    /// True if the director has ended.
    private var isOver = false

    init(_ conductor: Conductor, _ script: Script, _ course: JointCourse, directory: String) {
        (self.conductor, self.script, self.course) = (conductor, script, course)
        end = script.end.nanoseconds
        var settings = conductor.settings
        // No world ends before the script does, although one that runs first at the end can be a moment ahead.
        settings.horizon = max(settings.horizon, end + Self.lead)
        files = StageFiles(
            directory: directory, origin: conductor.origin, settings: settings, breakpoint: conductor.breakpoint,
            powered: script.powered,
            limit: conductor.limit)
        source = DecisionSource(course.conductor)
        lines = script.lines[...]
        hazards = HazardPlan(script.hazards, end: script.end)
    }

    func perform() throws(ConductorError) -> Performance {
        while now < end, !isOver, rounds < conductor.mostTurns {
            while let line = lines.first, line.time.nanoseconds <= now {
                lines.removeFirst()
                try carryOutForCertain(line.deed)
            }
            while hazards.nextInstant <= now, let deed = hazards.next(at: now, &source) {
                deeds.append(Script.Line(at: .nanoseconds(now), deed))
                try carryOut(deed)
            }
            look()
            var able: [Int] = []
            for (index, player) in players.enumerated() where player.mustLook || player.deadline <= now {
                able.append(index)
            }
            if !able.isEmpty {
                try giveTurn(to: next(of: able))
            } else if players.isEmpty && lines.isEmpty && hazards.nextInstant == .max {
                break
            } else {
                now = min(lines.first?.time.nanoseconds ?? .max, hazards.nextInstant, end)
                for player in players { now = min(now, player.deadline) }
            }
        }
        // They end at the same time.
        for player in players { player.process.beginToKill() }
        for player in players { try leave(player, status: player.process.kill(), fate: .running) }
        return Performance(
            course: course, decisions: source.decisions, departures: source.departures, deeds: deeds,
            processes: outcomes.compactMap(\.self),
            virtualTime: .nanoseconds(now), rounds: rounds)
    }

    /// Kills the running programs after an error.
    func clear() {
        for player in players { player.process.kill() }
        players = []
    }

    /// Carries out a deed of the script or the director; hazards no longer kill or start that program.
    private func carryOutForCertain(_ deed: Deed) throws(ConductorError) {
        if deed.isOfLife { hazards.spare(deed.name) }
        try carryOut(deed)
    }

    private func carryOut(_ deed: Deed) throws(ConductorError) {
        let running = players.firstIndex { $0.process.name == deed.name }
        switch deed {
        case .disk(let name, let isFull): surroundings[name, default: Surroundings()].isDiskFull = isFull
        case .clock(let name, let by): surroundings[name, default: Surroundings()].setClock(by: by)
        default: break
        }
        if case .start(let program) = deed {
            guard running == nil else { throw .isRunning(program.name, at: .nanoseconds(now)) }
            return try start(program)
        }
        // The program may have ended by itself.
        guard let running else { return }
        switch deed {
        case .start, .kill:
            let player = players.remove(at: running)
            try leave(player, status: player.process.kill(), fate: .killed)
        case .cutPower(let name):
            // Not again by chance.
            let player = players.remove(at: running)
            try leave(player, status: player.process.kill(), fate: .killed, mayLosePower: false)
            try losePower(of: name) { options, _ in options - 1 }
        case .crash(_, let step):
            (players[running].stepsToLive, players[running].wantedEnd) = (step, SIGKILL)
        case .end:
            (players[running].signal, players[running].wantedEnd) = (SIGTERM, SIGTERM)
            players[running].mustLook = true
        case .disk, .clock:
            // A wait for a time of day may now be over.
            players[running].mustLook = true
        }
    }

    /// Carries out the director's deeds.
    private func follow(_ said: [Substring]) throws(ConductorError) {
        guard let direction = script.direction else { return }
        for line in said {
            let deed: Deed?
            do throws(Direction.Wrong) {
                deed = try direction.deed(line)
            } catch {
                throw .direction(String(line), at: .nanoseconds(now), reason: error.reason)
            }
            if let deed { try carryOutForCertain(deed) }
        }
    }

    private func start(_ program: Program) throws(ConductorError) {
        let number = outcomes.count
        let life = Life(program.name, starts[program.name, default: 0] + 1)
        starts[program.name] = life.number
        let course = course.course(of: life)
        let process = try files.start(program, number: number, life, course)
        if let breakpoint = conductor.breakpoint, breakpoint.process == number {
            breakpoint.announce(process.identifier)
        }
        switch try process.answer(limit: conductor.limit) {
        case .idle:
            outcomes.append(nil)
            let player = Player(process, number: number, life, start: now, course)
            if program.name == script.direction?.director { player.lines = try files.outputLines(of: life) }
            if conductor.notesComplaints { player.errors = try files.errorLines(of: life) }
            for other in players {
                other.observesOthers = other.process.observe(process) && other.observesOthers
                player.observesOthers = process.observe(other.process) && player.observesOthers
            }
            players.append(player)
            hazards.started(program, at: now, &source)
        case .ended(let status):
            let ending = Ending(record: nil, status: status, isOverdue: false)
            throw .neverReported(program.name, ending, errors: files.errors(of: life))
        case .overdue:
            throw .neverReported(program.name, .overdue, errors: files.errors(of: life))
        }
    }

    /// Decides which of several programs runs first.
    private func next(of able: [Int]) -> Int {
        let turn = source.choose(.thread, among: able.count, about: "turn", at: now)
        if turn > 0 {
            let others = able[..<turn].map { "\(players[$0].life)" }.joined(separator: " and ")
            source.tell("\(players[able[turn]].life) runs before \(others)")
        }
        return able[turn]
    }

    private func giveTurn(to index: Int) throws(ConductorError) {
        rounds += 1
        if now - secondBegan >= Self.second { (turnsInASecond, secondBegan) = (0, now) }
        turnsInASecond += 1
        let player = players[index], process = player.process
        let aloneUntil = timeAlone(of: player)
        process.goOn(
            at: now, in: surroundings[process.name] ?? Surroundings(), signal: player.signal,
            stepsToLive: player.stepsToLive, aloneUntil: aloneUntil)
        (player.signal, player.stepsToLive) = (0, 0)
        switch try process.answer(limit: conductor.limit) {
        case .idle(let idle):
            if idle.activity != player.activity { othersMayLook(but: player, mustLook: idle.may_signal != 0) }
            (player.activity, player.deadline) = (idle.activity, idle.deadline)
            (player.mustLook, player.mayLook) = (false, false)
            player.isWatched = idle.is_watched != 0 && process.watched >= 0
            // The other programs must not see its effects at an earlier time.
            now = max(now, idle.now)
            noteComplaints(of: player)
            if turnsInASecond >= Self.mostTurnsInASecond {
                let text =
                    "“\(process.name)” and the others took \(turnsInASecond) turns in a second: they wake each other endlessly"
                players.remove(at: index)
                return try leave(player, status: process.kill(), ending: .spinning(text))
            }
            if player.lines != nil { try follow(player.lines?.next() ?? []) }
        case .ended(let status):
            try passTime(of: player, aloneUntil)
            players.remove(at: index)
            try follow(player.lines?.next() ?? [])
            // The wait status of a process that a signal ended is the signal's number.
            try leave(player, status: status, fate: status == player.wantedEnd ? .killed : nil)
        case .overdue:
            try passTime(of: player, aloneUntil)
            players.remove(at: index)
            try leave(player, status: process.kill(), isOverdue: true)
        }
    }

    private func noteComplaints(of player: Player) {
        let lines = player.errors?.next() ?? []
        player.complaints += lines.compactMap { ComplaintWord($0, at: .nanoseconds(now)) }
    }

    /// Advances the time to the last turn of a process that did not report it. The process may have overwritten what it
    /// left, so the time is believed only within the allowed.
    private func passTime(of player: Player, _ aloneUntil: Int64) throws(ConductorError) {
        let time = min(try files.lastTurn(ofProcess: player.number), aloneUntil)
        now = max(now, time)
    }

    /// Returns the time before which a process that is about to have a turn may go on by itself: nothing else is due
    /// until then, unless it causes it, which it sees. 0 if it must report after this turn.
    private func timeAlone(of player: Player) -> Int64 {
        // The director's output is read after each turn.
        guard player.observesOthers, player.lines == nil else { return 0 }
        var time = min(lines.first?.time.nanoseconds ?? .max, hazards.nextInstant, end)
        for other in players where other !== player {
            guard other.isWatched, !other.mustLook else { return 0 }
            time = min(time, other.deadline)
        }
        return time
    }

    /// Lets processes look after another was active: only those whose descriptors are ready, unless signals may have
    /// been sent.
    private func othersMayLook(but player: Player?, mustLook: Bool) {
        for other in players where other !== player {
            other.mayLook = true
            if mustLook || !other.isWatched { other.mustLook = true }
        }
    }

    /// Finds the processes whose descriptors have become ready.
    private func look() {
        for player in players where player.mayLook && !player.mustLook {
            var watched = pollfd(fd: player.process.watched, events: Int16(POLLIN), revents: 0)
            player.mayLook = false
            // If polling fails, it gets a turn.
            player.mustLook = poll(&watched, 1, 0) != 0
        }
    }

    /// Records the outcome of a process that has ended, and gives the others a turn to notice.
    private func leave(
        _ player: Player, status: Int32, isOverdue: Bool = false, fate: ProcessOutcome.Fate? = nil,
        ending: Ending? = nil, mayLosePower: Bool = true
    ) throws(ConductorError) {
        othersMayLook(but: nil, mustLook: true)
        noteComplaints(of: player)
        if player.lines != nil { isOver = true }
        hazards.ended(player.life.name, isKilled: fate == .killed, at: now, &source)
        let world = try files.outcome(
            ofProcess: player.number, player.course, status: status, isOverdue: isOverdue, ending: ending)
        outcomes[player.number] = ProcessOutcome(
            life: player.life, span: .nanoseconds(player.start)..<Duration.nanoseconds(max(player.start, now)),
            fate: fate ?? .ended(world.ending), world: world, output: files.output(of: player.life),
            errors: files.errorBytes(of: player.life), complaints: player.complaints)
        if fate == .killed, mayLosePower { try decidePowerCut(of: player.life.name) }
    }

    /// Decides whether a kill was a power cut, and what that loses.
    private func decidePowerCut(of name: String) throws(ConductorError) {
        guard script.hazards.contains(where: { $0.name == name && $0.cutsPower }),
            source.choose(.fault, among: 2, about: "power cut of \(name)", at: now) > 0
        else { return }
        deeds.append(Script.Line(at: .nanoseconds(now), .cutPower(name)))
        try losePower(of: name) { options, subject in
            source.choose(.fault, among: options, about: "\(name): \(subject)", at: now)
        }
    }

    private func losePower(
        of name: String, _ choose: (_ options: Int, _ subject: String) -> Int
    ) throws(ConductorError) {
        guard let cache = files.pageCache(of: name) else { return }
        do {
            try cache.cut(at: now, choose)
        } catch {
            throw .directory(cache.home, error.localizedDescription)
        }
    }
}

extension Duration {
    /// Whole nanoseconds, clamped to the range of the type.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || overflowOfSum ? (seconds < 0 ? .min : .max) : sum
    }
}
