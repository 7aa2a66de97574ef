/// A script that cannot be played.
public enum ScriptError: Error, Equatable, Sendable, CustomStringConvertible {
    case end(Duration)
    case time(Duration, end: Duration)
    case killOfNobody(String, at: Duration)
    /// A crash at the step 0.
    case noStep(String, at: Duration)
    case name(String)
    case zeroByte(String, of: String)
    case variable(String, of: String)
    case hazardOfNobody(String)
    case kills(Int, of: String)
    case troubles(Int, of: String)
    /// A device's disk or clock is changed before its program was ever started.
    case noDevice(String, at: Duration)
    case clock(Duration, of: String)
    case pause(ClosedRange<Duration>, of: String, end: Duration)

    public var description: String {
        switch self {
        case .end(let end): "a script that ends at \(end): it must end after 0 and not after \(Script.longest)"
        case .time(let time, let end): "a deed at \(time): it must be between 0 and the script's end at \(end)"
        case .killOfNobody(let name, let time):
            "“\(name)” is killed at \(time), when the script has not started it, or has killed it already"
        case .noStep(let name, let time): "“\(name)” crashes at \(time) at its step 0: steps are counted from 1"
        case .name(let name):
            "a program with the name “\(name)”: it must have 1 to \(Script.longestName) letters, digits and hyphens"
        case .zeroByte(let word, let name): "“\(word)” of the program “\(name)” has a zero byte"
        case .hazardOfNobody(let name):
            "a hazard of “\(name)”: the script must start it, and it must have one hazard only"
        case .kills(let kills, let name):
            "“\(name)” may be killed \(kills) times: it must be one of 0 to \(Hazard.mostKills)"
        case .troubles(let times, let name):
            "the disk of “\(name)” may fill up, or its clock be set, \(times) times: it must be one of 0 to "
                + "\(Hazard.mostTroubles)"
        case .noDevice(let name, let time):
            "the disk or the clock of “\(name)” is changed at \(time), when the script has not started it"
        case .clock(let by, let name):
            "the clock of “\(name)” is set by \(by): it must be no more than \(Deed.farthestClock) forward or back"
        case .pause(let pause, let name, let end):
            "“\(name)” may be away for \(pause.lowerBound) to \(pause.upperBound): it must be between 0 and the "
                + "script's end at \(end)"
        case .variable(let key, let name):
            "the program “\(name)” has an environment variable with the name “\(key)”: it must not be empty or have “=”"
        }
    }
}
