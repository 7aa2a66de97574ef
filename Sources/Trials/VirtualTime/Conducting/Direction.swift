/// A program of the performance that says itself what is done to the others, and when: a trial that kills what it tries, say.
///
/// A line of its standard output that begins with ``mark`` is a deed, done when the director is idle next:
///
/// ```
/// virtual-time: start phone
/// virtual-time: start phone 2
/// virtual-time: kill phone
/// virtual-time: crash phone 371
/// virtual-time: end phone
/// virtual-time: disk phone full
/// virtual-time: disk phone good
/// virtual-time: clock phone -3600
/// ```
///
/// ``Deed`` says what each does. A number after “start” chooses among the builds of a program, which are those of its name in the cast; without one it is
/// the first. A program that is asked to end, crash or be killed may have ended by itself; one that is started must not run. When the
/// director ends, the performance does.
public struct Direction: Hashable, Sendable {
    public static let mark = "virtual-time:"

    /// The director's name. The script starts it.
    public let director: String
    /// The programs that it may start, by their names. Several of one name are the builds of one program, in their order.
    public let cast: [Program]

    public init(director: String, cast: [Program]) { (self.director, self.cast) = (director, cast) }

    /// A line that is no deed.
    struct Wrong: Error {
        let reason: String
    }

    /// What a line of the director's output asks for; nil if it is no line for the conductor.
    func deed(_ line: Substring) throws(Wrong) -> Deed? {
        guard line.hasPrefix(Self.mark) else { return nil }
        let words = line.dropFirst(Self.mark.count).split(separator: " ").map { String($0) }
        let builds = cast.filter { words.count >= 2 && $0.name == words[1] }
        guard let program = builds.first else {
            var roles: [String] = []
            for program in cast where !roles.contains(program.name) { roles.append(program.name) }
            throw Wrong(
                reason:
                    "it must name one of \(roles.joined(separator: ", ")) after start, kill, crash, end, disk or clock")
        }
        switch (words[0], words.count) {
        case ("start", 2): return .start(program)
        case ("start", 3):
            guard let number = Int(words[2]), builds.indices.contains(number - 1) else {
                throw Wrong(reason: "“\(words[2])” must be the number of a build, 1 to \(builds.count)")
            }
            return .start(builds[number - 1])
        case ("kill", 2): return .kill(program.name)
        case ("end", 2): return .end(program.name)
        case ("crash", 3):
            guard let step = UInt64(words[2]), step > 0 else {
                throw Wrong(reason: "“\(words[2])” must be a number of steps, at least 1")
            }
            return .crash(program.name, step: step)
        case ("disk", 3):
            guard ["full", "good"].contains(words[2]) else {
                throw Wrong(reason: "the disk is “\(words[2])”: it must be one of full, good")
            }
            return .disk(program.name, isFull: words[2] == "full")
        case ("clock", 3):
            let farthest = Deed.farthestClock.components.seconds
            guard let seconds = Double(words[2]), abs(seconds) <= Double(farthest) else {
                throw Wrong(
                    reason: "“\(words[2])” must be a number of seconds, and one of -\(farthest) to \(farthest)")
            }
            return .clock(program.name, by: .seconds(seconds))
        default:
            throw Wrong(
                reason: "it must be one of start NAME, start NAME BUILD, kill NAME, end NAME, crash NAME STEP, "
                    + "disk NAME full|good and clock NAME SECONDS")
        }
    }
}
