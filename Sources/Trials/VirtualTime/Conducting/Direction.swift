/// A program of the performance that decides what happens to the others: for example, a trial that kills the programs
/// under test.
///
/// A line of its standard output that begins with ``mark`` is a deed, which is carried out when the director is next
/// idle:
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
/// ``Deed`` describes each action. A number after “start” selects among the builds of a program, which are the entries
/// with its name in the cast; without a number it is the first. A program that is to end, crash or be killed may
/// already have ended by itself; a program that is started must not be running. When the director ends, the performance
/// ends.
public struct Direction: Hashable, Sendable {
    /// The prefix of a line with a deed.
    public static let mark = "virtual-time:"

    /// The name of the director, which the script starts.
    public let director: String
    /// The programs that it can start. Several with one name are the builds of one program, in order.
    public let cast: [Program]

    /// Creates a direction.
    public init(director: String, cast: [Program]) { (self.director, self.cast) = (director, cast) }

    /// The error for a line that is not a deed.
    struct Wrong: Error {
        let reason: String
    }

    /// Parses a line of the director's output; nil if the line is not for the conductor.
    func deed(_ line: Substring) throws(Wrong) -> Deed? {
        guard line.hasPrefix(Self.mark) else { return nil }
        let words = line.dropFirst(Self.mark.count).split(separator: " ").map { String($0) }
        let builds = cast.filter { words.count >= 2 && $0.name == words[1] }
        guard let program = builds.first else {
            var roles: [String] = []
            for program in cast where !roles.contains(program.name) { roles.append(program.name) }
            throw Wrong(
                reason: "expected start, kill, crash, end, disk or clock, and then one of "
                    + roles.joined(separator: ", "))
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
                throw Wrong(reason: "the disk is “\(words[2])”: it must be full or good")
            }
            return .disk(program.name, isFull: words[2] == "full")
        case ("clock", 3):
            let farthest = Deed.farthestClock.components.seconds
            guard let seconds = Double(words[2]), abs(seconds) <= Double(farthest) else {
                throw Wrong(
                    reason: "“\(words[2])” must be a number of seconds between -\(farthest) and \(farthest)")
            }
            return .clock(program.name, by: .seconds(seconds))
        default:
            throw Wrong(
                reason: "expected one of start NAME, start NAME BUILD, kill NAME, end NAME, crash NAME STEP, "
                    + "disk NAME full|good, clock NAME SECONDS")
        }
    }
}
