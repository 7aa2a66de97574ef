import Configuration
import Foundation
import LinkProtocol
import Locking
import Simulation

/// Runs many seeds on several threads; each seed uses one thread.
final class Campaign: Sendable {
    struct Result {
        var runs: UInt64 = 0
        var messages = 0
        var fewest = Int.max
        var simulated = 0.0
        var seconds = 0.0
        var first: UInt64 = 0
        var violation: (seed: UInt64, Violation)?

        func text(asJSON: Bool) throws -> String {
            let rate = Double(runs) / max(seconds, 0.000_001)
            guard !asJSON else {
                return try JSONValue.object([
                    "first": .integer(Int64(first)), "seeds": .integer(Int64(runs)),
                    "seedsPerSecond": .number(rate.rounded()), "messages": .integer(Int64(messages)),
                    "simulatedHours": .number(simulated / 3_600), "seconds": .number(seconds),
                    "violatedSeed": violation.map { .integer(Int64($0.seed)) } ?? .null,
                ]).text(pretty: true)
            }
            return
                "seeds \(first)...\(first + max(runs, 1) - 1): \(runs) runs in \(String(format: "%.1f", seconds)) s, \(Int(rate)) per second; \(Int(simulated / 3_600)) simulated hours, \(messages) messages, at least \(fewest == .max ? 0 : fewest) each"
        }
    }

    private struct Progress {
        var next: UInt64
        var result = Result()
        var lastShown: ContinuousClock.Instant
    }

    /// The interval of progress reports.
    private static let interval: Duration = .seconds(5)

    private let request: SimulationRequest
    private let progress: Mutex<Progress>
    private let start = ContinuousClock.now

    init(_ request: SimulationRequest) {
        self.request = request
        var progress = Progress(next: request.first, lastShown: start)
        progress.result.first = request.first
        self.progress = Mutex(progress)
    }

    func run() -> Result {
        Thread.inParallel(request.jobs) { [self] in
            while let seed = nextSeed() {
                let outcome = World(Plan(seed: seed), bug: request.bug, carriesBytes: request.carriesBytes).run()
                note(seed, outcome)
            }
        }
        return progress.withLock { progress in
            progress.result.seconds = (ContinuousClock.now - start).seconds
            return progress.result
        }
    }

    private func nextSeed() -> UInt64? {
        let elapsed = (ContinuousClock.now - start).seconds
        return progress.withLock { progress in
            guard progress.result.violation == nil else { return nil }
            let isOver = progress.next - request.first >= request.count
            guard !isOver || elapsed < (request.minutes ?? 0) * 60 else { return nil }
            defer { progress.next += 1 }
            return progress.next
        }
    }

    private func note(_ seed: UInt64, _ outcome: World.Outcome) {
        let line = progress.withLock { progress -> String? in
            progress.result.runs += 1
            progress.result.messages += outcome.messages
            progress.result.fewest = min(progress.result.fewest, outcome.messages)
            progress.result.simulated += outcome.simulated.seconds
            // Of two seeds that fail at the same time, the lower one is reported, so the result is always the same.
            if let violation = outcome.violation, progress.result.violation.map({ seed < $0.seed }) ?? true {
                progress.result.violation = (seed, violation)
            }
            guard ContinuousClock.now - progress.lastShown > Self.interval else { return nil }
            progress.lastShown = .now
            let rate = Double(progress.result.runs) / (ContinuousClock.now - start).seconds
            return "\(progress.result.runs) seeds, \(Int(rate)) per second\n"
        }
        if let line { FileHandle.standardError.write(Data(line.utf8)) }
    }
}

extension Duration {
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
