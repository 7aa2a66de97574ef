/// The timed actions of a performance, in virtual time.
public struct Script: Hashable, Sendable {
    /// A deed and its time.
    public struct Line: Hashable, Sendable {
        /// The virtual time since the beginning.
        public let time: Duration
        /// The deed.
        public let deed: Deed

        /// Creates a line.
        public init(at time: Duration, _ deed: Deed) { (self.time, self.deed) = (time, deed) }
    }

    /// The deeds, ordered by time.
    public let lines: [Line]
    /// The time of the end, when programs that still run are killed.
    public let end: Duration
    /// The program that directs the others, if there is one.
    public let direction: Direction?
    /// The hazards, in any order; at most one per program.
    public let hazards: [Hazard]

    /// The longest script, 100 years: 64-bit clocks in nanoseconds last for 292.
    public static let longest: Duration = .seconds(100 * 365 * 86_400)

    /// Creates a script.
    ///
    /// - Parameters:
    ///   - lines: The deeds, in any order; deeds at the same time are done in the order given.
    ///   - end: The time at which the performance ends.
    ///   - direction: The program that directs the others, if there is one.
    ///   - hazards: The hazards, in any order; at most one per program.
    /// - Throws: ``ScriptError`` if the script cannot be played.
    public init(
        _ lines: [Line], end: Duration, direction: Direction? = nil, hazards: [Hazard] = []
    ) throws(ScriptError) {
        guard end > .zero, end <= Self.longest else { throw .end(end) }
        (self.end, self.direction, self.hazards) = (end, direction, hazards)
        for program in direction?.cast ?? [] { try Self.check(program) }
        self.lines = lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        var running: Set<String> = []
        var devices: Set<String> = []
        for line in self.lines {
            guard line.time >= .zero, line.time <= end else { throw .time(line.time, end: end) }
            let name = line.deed.name
            switch line.deed {
            case .start(let program):
                try Self.check(program)
                // An earlier program of that name may have ended by itself, so a second start is not an error here.
                running.insert(name)
                devices.insert(name)
            case .crash(_, let step) where step == 0: throw .noStep(name, at: line.time)
            case .crash, .end:
                // The program ends at a time of its own choosing.
                guard running.contains(name) else { throw .killOfStoppedProgram(name, at: line.time) }
            case .kill, .cutPower:
                guard running.remove(name) != nil else { throw .killOfStoppedProgram(name, at: line.time) }
            case .disk, .clock:
                guard devices.contains(name) else { throw .noDevice(name, at: line.time) }
                if case .clock(_, let by) = line.deed, by > Deed.farthestClock || by < .zero - Deed.farthestClock {
                    throw .clock(by, of: name)
                }
            }
        }
        try checkHazards()
    }

    private func checkHazards() throws(ScriptError) {
        var names = Set((direction?.cast ?? []).map(\.name))
        for case .start(let program) in lines.map(\.deed) { names.insert(program.name) }
        for hazard in hazards {
            let name = hazard.name
            guard names.remove(name) != nil else { throw .hazardOfUnknownProgram(name) }
            guard 0...Hazard.mostKills ~= hazard.kills else { throw .kills(hazard.kills, of: name) }
            for times in [hazard.diskFills, hazard.clockJumps] where !(0...Hazard.mostTroubles ~= times) {
                throw .troubles(times, of: name)
            }
            guard hazard.pause.lowerBound >= .zero, hazard.pause.upperBound <= end else {
                throw .pause(hazard.pause, of: name, end: end)
            }
            if let until = hazard.until, until < .zero || until > end { throw .time(until, end: end) }
        }
    }

    /// The names of the programs whose power can be cut.
    var powered: Set<String> {
        let cut = lines.compactMap { if case .cutPower(let name) = $0.deed { name } else { nil } }
        return Set(cut).union(hazards.filter(\.cutsPower).map(\.name))
    }

    /// Returns the builds of all programs that the script starts or can start, each once, in the order of their first
    /// starts.
    ///
    /// - Throws: ``BuildIdentityError`` if an executable cannot be read.
    public func builds() throws(BuildIdentityError) -> [BuildIdentity] {
        var executables: [String] = []
        let started = lines.compactMap { line in if case .start(let program) = line.deed { program } else { nil } }
        for program in started + (direction?.cast ?? []) where !executables.contains(program.executable) {
            executables.append(program.executable)
        }
        var builds: [BuildIdentity] = []
        for executable in executables { builds.append(try BuildIdentity(executable: executable)) }
        return builds
    }

    /// 64: role names are part of paths, which must be short enough for socket addresses.
    static let longestName = 64

    private static func check(_ program: Program) throws(ScriptError) {
        let name = program.name
        let isPlain = name.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
        }
        guard isPlain, !name.isEmpty, name.utf8.count <= longestName else { throw .name(name) }
        let words = [program.executable] + program.arguments + program.environment.flatMap { [$0.key, $0.value] }
        if let word = words.first(where: { $0.utf8.contains(0) }) { throw .zeroByte(word, of: name) }
        if let key = program.environment.keys.first(where: { $0.isEmpty || $0.contains("=") }) {
            throw .variable(key, of: name)
        }
    }
}
