public import VirtualTime

/// Why a simulated test cannot run.
public enum SimulationError: Error, Sendable, CustomStringConvertible {
    /// There is no world where it was asked for one.
    case noWorld
    /// The body declared no device.
    case noDevices
    case twice(String)
    case tooManyDevices
    case time(Duration, of: String, duration: Duration)
    case duration(Duration)
    case jobs(Int)
    case seeds(ClosedRange<Int>)
    case kills(Int)
    case calm(Duration)
    case depth(Int)
    /// Milliseconds.
    case stall(UInt32)
    /// The test has arguments.
    case parameterized
    /// The body recorded issues in the test's own process.
    case body
    /// The test bundle, started again, did not come to the test. What it wrote.
    case noTemplate(String)
    case script(ScriptError)
    case conductor(ConductorError)
    /// An environment variable: its name, its value, and what is allowed.
    case variable(String, String, allowed: String)
    case finding(FindingError)
    case build(BuildIdentityError)
    case findings(String, String)
    case other(String)

    public var description: String {
        switch self {
        case .noWorld:
            "there is no simulated world here: use it in the body of a test with the trait .simulated(), not in closures that run later"
        case .noDevices: "the test declares no device: call phone, watch or device of its world"
        case .twice(let name): "the device “\(name)” is declared twice: give each a name of its own"
        case .tooManyDevices: "the test declares more than \(SimulatedWorld.mostDevices) devices"
        case .time(let time, let device, let duration):
            "something happens to the device “\(device)” at \(time): it must be between 0 and \(duration), the end of the world"
        case .duration(let duration):
            "a world of \(duration): it must be longer than 0, and not longer than \(Script.longest)"
        case .seeds(let seeds): "the seeds \(seeds): each must be a number from 0 on"
        case .kills(let kills): "\(kills) kills: it must be one of 0 to \(Hazard.mostKills)"
        case .calm(let calm): "a calm of \(calm): it must not be less than 0"
        case .depth(let depth):
            "priorities of depth \(depth): it must be one of \(Strategy.depths.lowerBound) to \(Strategy.depths.upperBound)"
        case .stall(let milliseconds):
            "threads that are late by up to \(milliseconds) ms: it must be one of 0 to \(WorldSettings.longestStallMilliseconds)"
        case .jobs(let jobs):
            "\(jobs) jobs: it must be one of \(SimulationSettings.jobs.lowerBound) to \(SimulationSettings.jobs.upperBound)"
        case .parameterized: "a simulated test has no arguments: make it a test for each argument"
        case .body: "the body of the test fails before any device runs; see its other issues"
        case .noTemplate(let output):
            "the test bundle was started again for its devices, and did not come to this test"
                + (output.isEmpty ? "" : "; it wrote: \(output)")
        case .script(let error): "\(error)"
        case .conductor(let error): "\(error)"
        case .variable(let name, let value, let allowed): "\(name) is “\(value)”: it must be \(allowed)"
        case .finding(let error): "\(error)"
        case .build(let error): "\(error)"
        case .other(let text): text
        case .findings(let directory, let detail): "cannot write into \(directory): \(detail)"
        }
    }
}
