/// The error for a script that cannot be played.
public enum ScriptError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The end is not after 0, or is later than ``Script/longest``.
    case end(Duration)
    /// A deed, or the end of a hazard, lies outside the script.
    case time(Duration, end: Duration)
    /// A program that is not running is killed, crashed or ended.
    case killOfStoppedProgram(String, at: Duration)
    /// A crash at step 0.
    case noStep(String, at: Duration)
    /// The name of a program is not allowed.
    case name(String)
    /// The executable, an argument or a variable of a program contains a zero byte.
    case zeroByte(String, of: String)
    /// The name of an environment variable is empty or contains “=”.
    case variable(String, of: String)
    /// A hazard belongs to a program that is never started, or that has another hazard.
    case hazardOfUnknownProgram(String)
    /// The number of kills is out of range.
    case kills(Int, of: String)
    /// The number of full disks or of clock changes is out of range.
    case troubles(Int, of: String)
    /// The disk or clock of a device changes before its program was ever started.
    case noDevice(String, at: Duration)
    /// A clock is shifted by more than ``Deed/farthestClock``.
    case clock(Duration, of: String)
    /// The pause of a hazard is negative or longer than the script.
    case pause(ClosedRange<Duration>, of: String, end: Duration)

    public var description: String {
        switch self {
        case .end(let end): "the script ends at \(end): it must end after 0, and no later than \(Script.longest)"
        case .time(let time, let end): "a deed at \(time): it must be between 0 and the script's end at \(end)"
        case .killOfStoppedProgram(let name, let time):
            "“\(name)” is killed at \(time), but the script has not started it, or has already killed it"
        case .noStep(let name, let time): "“\(name)” crashes at \(time) at step 0: steps are counted from 1"
        case .name(let name):
            "the program name “\(name)”: it must have 1 to \(Script.longestName) letters, digits and hyphens"
        case .zeroByte(let word, let name): "“\(word)” of the program “\(name)” contains a zero byte"
        case .hazardOfUnknownProgram(let name):
            "a hazard for “\(name)”: the script must start this program, and it can have only one hazard"
        case .kills(let kills, let name):
            "a hazard for “\(name)”: \(kills) kills are out of range; use 0 to \(Hazard.mostKills)"
        case .troubles(let times, let name):
            "a hazard for “\(name)”: \(times) full disks or clock changes are out of range; use 0 to "
                + "\(Hazard.mostTroubles)"
        case .noDevice(let name, let time):
            "the disk or the clock of “\(name)” is changed at \(time), but the script has not started it"
        case .clock(let by, let name):
            "the clock of “\(name)” is shifted by \(by): the limit is \(Deed.farthestClock) forward or back"
        case .pause(let pause, let name, let end):
            "a hazard for “\(name)”: a pause of \(pause.lowerBound) to \(pause.upperBound) must be between 0 and the "
                + "script's end at \(end)"
        case .variable(let key, let name):
            "the program “\(name)” has an environment variable named “\(key)”: the name must be nonempty, without “=”"
        }
    }
}
