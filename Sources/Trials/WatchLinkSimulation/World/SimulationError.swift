public import VirtualTime

/// The reason why a simulated test cannot run.
public enum SimulationError: Error, Sendable, CustomStringConvertible {
    /// The current world was requested outside of a simulated test's body.
    case noWorld
    /// The body declared no device.
    case noDevices
    /// Two devices have this name.
    case twice(String)
    /// There are more than ``SimulatedWorld/mostDevices`` devices.
    case tooManyDevices
    /// An event of a device lies outside of the world's duration.
    case time(Duration, of: String, duration: Duration)
    /// The duration is zero, negative or too long.
    case duration(Duration)
    /// The number of jobs is out of range.
    case jobs(Int)
    /// A seed is negative.
    case seeds(ClosedRange<Int>)
    /// The number of kills is negative or too large.
    case kills(Int)
    /// The quiet period before the end is negative.
    case quietPeriod(Duration)
    /// The depth of the priorities strategy is out of range.
    case depth(Int)
    /// The longest delay of late threads is too long; in milliseconds.
    case stall(UInt32)
    /// The test has arguments.
    case parameterized
    /// The body recorded issues in the test's own process.
    case body
    /// The test bundle did not reach the test when it was started again; with its output.
    case noTemplate(String)
    /// The script of the devices' events is invalid.
    case script(ScriptError)
    /// The worlds could not be run.
    case conductor(ConductorError)
    /// An environment variable is invalid: its name, its value, and the allowed values.
    case variable(String, String, allowed: String)
    /// A finding could not be read or written.
    case finding(FindingError)
    /// A device's program could not be identified.
    case build(BuildIdentityError)
    /// The findings could not be written: the directory, and the cause.
    case findings(String, String)
    /// Another error, as text.
    case other(String)

    public var description: String {
        switch self {
        case .noWorld:
            "no simulated world is available here; use it in the body of a test with the trait .simulated(), not in closures that run later"
        case .noDevices: "the test declares no device; call phone, watch or device of its world"
        case .twice(let name): "the device “\(name)” is declared twice; give each device a different name"
        case .tooManyDevices: "the test declares more than \(SimulatedWorld.mostDevices) devices"
        case .time(let time, let device, let duration):
            "an event happens to the device “\(device)” at \(time); use a time between 0 and \(duration), the end of the world"
        case .duration(let duration):
            "a duration of \(duration) is not possible; use more than 0, and at most \(Script.longest)"
        case .seeds(let seeds): "the seeds \(seeds) are not valid; use numbers from 0"
        case .kills(let kills): "\(kills) kills are not possible; use 0 to \(Hazard.mostKills)"
        case .quietPeriod(let period): "a quiet period of \(period) is not possible; it must not be less than 0"
        case .depth(let depth):
            "a priorities depth of \(depth) is not possible; use \(Strategy.depths.lowerBound) to \(Strategy.depths.upperBound)"
        case .stall(let milliseconds):
            "a thread delay of \(milliseconds) ms is not possible; use 0 to \(WorldSettings.longestStallMilliseconds)"
        case .jobs(let jobs):
            "\(jobs) jobs are not possible; use \(SimulationSettings.jobs.lowerBound) to \(SimulationSettings.jobs.upperBound)"
        case .parameterized: "a simulated test cannot have arguments; write a test for each argument"
        case .body: "the body of the test failed before any device ran; see its other issues"
        case .noTemplate(let output):
            "the test bundle was started again for its devices, but did not reach this test"
                + (output.isEmpty ? "" : "; it wrote: \(output)")
        case .script(let error): "\(error)"
        case .conductor(let error): "\(error)"
        case .variable(let name, let value, let allowed): "\(name): “\(value)” is not valid; use \(allowed)"
        case .finding(let error): "\(error)"
        case .build(let error): "\(error)"
        case .other(let text): text
        case .findings(let directory, let detail): "the findings could not be written to \(directory): \(detail)"
        }
    }
}
