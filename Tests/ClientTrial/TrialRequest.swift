import Foundation
import ServiceRuntime

/// What is to be tried.
struct TrialRequest {
    let seeds: Int
    let hours: Double
    let tries: Int
    let jobs: Int
    /// Empty: all pairs.
    let only: [String]

    private static let seeds = 1...1_000_000
    private static let hours = 0.1...24.0
    private static let tries = 1...100_000
    private static let jobs = 1...256

    init(_ options: ParsedOptions) throws(UsageError) {
        seeds = try Self.number(options, "seeds", 1_000, within: Self.seeds)
        hours = try Self.number(options, "hours", 0.5, within: Self.hours)
        tries = try Self.number(options, "tries", 60, within: Self.tries)
        jobs = try Self.number(options, "jobs", ProcessInfo.processInfo.activeProcessorCount, within: Self.jobs)
        only = options["only"].map { $0.split(separator: ",").map { String($0) } } ?? []
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
