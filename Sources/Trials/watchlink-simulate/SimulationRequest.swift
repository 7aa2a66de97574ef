import Foundation
import ServiceRuntime
import Simulation

/// The request given by the command line.
struct SimulationRequest {
    let first: UInt64
    let count: UInt64
    let minutes: Double?
    let replay: UInt64?
    let wantsTrace: Bool
    let bug: PlantedBug?
    let jobs: Int
    let wantsJSON: Bool
    let carriesBytes: Bool

    init(_ options: ParsedOptions) throws(UsageError) {
        func number<Value: LosslessStringConvertible>(_ name: String, _ type: Value.Type) throws(UsageError) -> Value? {
            guard let text = options[name] else { return nil }
            guard let value = Value(text) else { throw UsageError("--\(name) \(text): not a number") }
            return value
        }
        replay = try number("replay", UInt64.self)
        minutes = try number("minutes", Double.self)
        jobs = max(1, try number("jobs", Int.self) ?? ProcessInfo.processInfo.activeProcessorCount)
        wantsTrace = options.has("trace")
        wantsJSON = options.has("json")
        carriesBytes = options.has("bytes")
        bug = try options["bug"].map { name throws(UsageError) in
            guard let bug = PlantedBug(rawValue: name) else {
                throw UsageError("--bug \(name): unknown bug; --help lists the names")
            }
            return bug
        }
        if let amount = try number("random", UInt64.self) {
            // Far from overflow, and short enough to type.
            first = UInt64.random(in: 1_000_000..<1_000_000_000_000)
            count = amount
            return
        }
        let seeds = try options.seeds(usual: "1...2000")
        first = seeds.lowerBound
        count = seeds.upperBound - seeds.lowerBound + 1
    }
}
