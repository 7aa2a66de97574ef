import Foundation
import ServiceRuntime

/// What the command was asked to do.
struct ExploreRequest {
    let scene: Scene
    let seeds: ClosedRange<UInt64>
    let jobs: Int
    /// How many performances a failure may take to be made small.
    let tries: Int
    let library: String?
    let findings: URL?
    let traces: URL?
    let wantsJSON: Bool

    private static let usualSeeds = "1...100"
    /// Some seconds of a scene of an hour.
    private static let usualTries = 60
    /// A year of two devices takes some hours of real time.
    private static let hours = 0.001...8_760.0
    /// Each is a thread with some processes.
    private static let jobs = 1...256
    private static let kills = 0...1_000

    init(_ options: ParsedOptions) throws(UsageError) {
        func words(_ name: String) throws(UsageError) -> [String] {
            guard let text = options[name] else { throw UsageError("--\(name) PROGRAM is needed") }
            let words = text.split(separator: " ").map { String($0) }
            guard let program = words.first else { throw UsageError("--\(name) “\(text)” names no program") }
            let path = URL(filePath: program).standardizedFileURL.path(percentEncoded: false)
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw UsageError("--\(name) \(program): there is no program at \(path)")
            }
            return [path] + words.dropFirst()
        }
        scene = Scene(
            phone: try words("phone"), watch: try words("watch"),
            hours: try Self.number(options, "hours", 1, within: Self.hours),
            kills: try Self.number(options, "kills", 1, within: Self.kills))
        seeds = try options.seeds(usual: Self.usualSeeds)
        jobs = try Self.number(options, "jobs", ProcessInfo.processInfo.activeProcessorCount, within: Self.jobs)
        tries = try Self.number(options, "tries", Self.usualTries, within: 1...100_000)
        library = options["library"]
        findings = options["findings"].map { URL(filePath: $0) }
        traces = options["traces"].map { URL(filePath: $0) }
        wantsJSON = options.has("json")
    }

    private static func number<Number: LosslessStringConvertible & Comparable>(
        _ options: ParsedOptions, _ name: String, _ usual: Number, within range: ClosedRange<Number>
    ) throws(UsageError) -> Number {
        guard let text = options[name] else { return usual }
        guard let number = Number(text), range.contains(number) else {
            throw UsageError("--\(name) \(text): it must be one of \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
