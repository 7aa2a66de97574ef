import DeviceWorlds
import ExploreWords
import Foundation
import Locking
import Processes
import ServiceRuntime
import Trials
import VirtualTime

/// An exploration of many seeds on several threads, each with its own devices.
final class Exploration: Sendable {
    private struct State {
        var next: UInt64?
        var summary: ExplorationSummary
        var coverage = ExplorationCoverage()
        /// The time at which the summary was last written.
        var keptAt: ContinuousClock.Instant
        /// The number of shrunk findings for each cause.
        var kept: [String: Int] = [:]
        var error: (any Error)?
        /// The signal that ended the exploration early.
        var interruption: String?
        var interruptedAt: ContinuousClock.Instant?
        var progress: ProgressLine?
    }

    /// 3: further findings with the same cause show nothing new, and shrinking them takes longer than many seeds.
    private static let mostKept = 3
    /// Half a second: “timeout” signals the program, and then its group with the program; a person takes longer for a second signal.
    private static let pauseOfPersons: Duration = .milliseconds(500)
    /// 1 s: the summary contains all findings, and is rewritten as a whole.
    private static let keepPeriod: Duration = .seconds(1)

    private let request: ExploreRequest
    private let conductor: Conductor
    private let strategy: Strategy
    /// The orders of delivery, if all are to be run; nil if seeds decide.
    private let orders: OrderQueue?
    private let start = ContinuousClock.now
    private let state: Mutex<State>

    init(_ request: ExploreRequest, _ conductor: Conductor) throws {
        self.request = request
        var conductor = conductor
        conductor.settings = request.world
        self.conductor = conductor
        orders = request.strategy == .orders ? DeliveryReordering.queue() : nil
        strategy = try request.strategy.strategy(by: conductor, for: request.script(0))
        let part = ExplorationSummary.Part(
            first: request.seeds.lowerBound, last: request.seeds.upperBound, shard: request.shard, isComplete: false)
        state = Mutex(
            State(
                next: request.shard.seeds(request.seeds)?.first, summary: ExplorationSummary(parts: [part]),
                keptAt: start,
                progress: Self.progress(of: request)))
        for directory in [request.findings, request.traces].compactMap(\.self) {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }
    }

    /// Creates the progress line. The number of orders is known when all have been run.
    private static func progress(of request: ExploreRequest) -> ProgressLine {
        let isCounted = request.strategy != .orders && request.span == nil
        return ProgressLine(
            request.strategy == .orders ? "orders" : "seeds", of: isCounted ? Int(clamping: request.seeds.count) : nil)
    }

    /// The signal that ended the exploration early; nil if none did.
    var interruption: String? { state.withLock { $0.interruption } }

    /// Starts no new seed after a signal, and is ended by the next one.
    private func heed(_ signals: Signals) {
        signals.handle(on: .global()) { [self] name in
            let (first, now) = state.withLock { state in
                defer { if state.interruption == nil { (state.interruption, state.interruptedAt) = (name, .now) } }
                return (state.interruptedAt, ContinuousClock.now)
            }
            if let first {
                if now - first >= Self.pauseOfPersons { Signals.end(by: name) }
                return
            }
            FileHandle.standardError.write(
                Data("\n\(name): no new seed is started; send it again to end without a summary\n".utf8))
            stop()
        }
    }

    private func stop() {
        orders?.stop()
        state.withLock { $0.next = nil }
    }

    /// Runs the exploration until its last seed, or until it is stopped.
    ///
    /// - Throws: The error that prevented a seed from running; the summary on disk covers the seeds before it.
    func run(_ signals: Signals) throws -> ExplorationSummary {
        heed(signals)
        Thread.inParallel(request.jobs) { [self] in
            while let (seed, branch) = next() {
                do {
                    try explore(seed, branch)
                } catch {
                    stop()
                    state.withLock { state in
                        if state.error == nil { state.error = error }
                    }
                }
            }
        }
        return try state.withLock { state in
            state.progress?.finish()
            if let error = state.error { throw error }
            let isStopped = state.interruption != nil || request.stopsAtFirst && !state.summary.found.isEmpty
            state.summary.parts[0].isComplete = !isStopped
            state.summary.areAllOrders = orders?.count.areAll
            try keep(&state)
            return state.summary
        }
    }

    /// Returns the next seed, or the number of the next order with its course.
    private func next() -> (UInt64, OrderTree.Branch?)? {
        guard let orders else { return nextSeed().map { ($0, nil) } }
        if let span = request.span, ContinuousClock.now - start >= span { orders.stop() }
        return orders.next().map { ($0.number, $0.branch) }
    }

    private func nextSeed() -> UInt64? {
        state.withLock { state in
            if let span = request.span, ContinuousClock.now - start >= span { state.next = nil }
            guard let seed = state.next else { return nil }
            let (following, overflow) = seed.addingReportingOverflow(UInt64(request.shard.count))
            state.next = overflow || following > request.seeds.upperBound ? nil : following
            return seed
        }
    }

    /// Runs the world of a seed or of an order.
    private func perform(
        _ script: Script, _ course: JointCourse, _ branch: OrderTree.Branch?, _ seed: UInt64
    ) throws -> Performance {
        var conductor = conductor
        conductor.kept = request.recording.map { WorldRecording.kept(in: $0.folder(of: seed)) }
        guard let orders, let branch else { return try conductor.perform(script, course) }
        do {
            let performance = try conductor.perform(script, course)
            try orders.done(performance, of: branch)
            return performance
        } catch let error as ConductorError {
            try orders.done(nil, of: branch)
            throw error
        }
    }

    private func explore(_ seed: UInt64, _ branch: OrderTree.Branch?) throws {
        let script = try request.script(branch == nil ? seed : DeliveryReordering.seed)
        let course = branch?.course ?? JointCourse(seed: seed, strategy: strategy)
        let performance = try perform(script, course, branch, seed)
        if let obstacle = ScenarioScene.obstacle(in: performance) {
            throw TrialFailure("the scenario cannot be performed: \(obstacle)")
        }
        try writeTraces(performance, seed)
        let complaints = ScenarioScene.withoutEcho(Complaint.all(about: performance))
        // A finding that cannot be reproduced is worthless. Without a finding, only the first seed is checked.
        var parting: PerformanceParting?
        // A run that was ended by the real time differs from the next.
        if complaints.first.map({ $0.ending != .overdue }) ?? (seed == request.seeds.lowerBound) {
            parting = PerformanceParting(of: performance, from: try conductor.perform(script, course))
        }
        let found = try complaints.enumerated().map { number, complaint in
            guard parting == nil, isWanted(complaint) else {
                return ExplorationSummary.Found(seed: seed, what: complaint.description, cause: complaint.cause)
            }
            return try finding(
                complaint, in: performance, script, named: number == 0 ? "" : "-\(complaint.device)", seed)
        }
        try noteLockOrders(performance, script)
        var coverage = ExplorationCoverage()
        coverage.add(performance)
        let promises = Promises(performance.processes.map(\.errors))
        // What a scenario lets the services send is not theirs to follow up.
        let hints = request.expectsSessions ? GivenHints(performance, without: request.failingHints) : nil
        let sessions = request.expectsSessions ? ActivatedSessions(performance, script) : nil
        try state.withLock { [coverage] state in
            state.coverage.add(coverage)
            state.summary.add(seed, found, promises, sessions, parting: parting?.text)
            if let hints { state.summary.add(hints, of: seed) }
            state.progress?.update(state.summary.runs)
            // A new file is listed immediately; rewriting the summary for every other finding would take too long.
            let isKept = found.contains { $0.file != nil }
            if isKept || !found.isEmpty && .now - state.keptAt >= Self.keepPeriod { try keep(&state) }
        }
        if request.stopsAtFirst, !found.isEmpty { stop() }
    }

    /// Returns a failure with its shrunk finding, if findings are kept.
    private func finding(
        _ complaint: Complaint, in performance: Performance, _ script: Script, named suffix: String, _ seed: UInt64
    ) throws -> ExplorationSummary.Found {
        var found = ExplorationSummary.Found(seed: seed, what: complaint.description, cause: complaint.cause)
        var shown = complaint
        if let directory = request.findings {
            let finding: Finding
            // What a person sees who replays the finding.
            let tries: Int?
            (finding, shown, tries) = try smallest(performance, script, complaint)
            let path = directory.appending(path: "seed-\(seed)\(suffix).json").path(percentEncoded: false)
            do throws(FindingError) {
                try finding.write(to: path)
                (found.file, found.tries) = (path, tries)
                (found.decisions, found.words) = (finding.departures, finding.words)
            } catch {
                guard error.reason == .tooLarge else { throw error }
                found.what += "\nit has no file: its course would take more than \(Finding.mostBytes) bytes"
                return found
            }
        }
        found.what = StackPlaces(script).completed(shown.description)
        return found
    }

    /// Notes locks that were taken in opposite orders; those of a deadlock are a finding already.
    private func noteLockOrders(_ performance: Performance, _ script: Script) throws {
        for orders in LockOrders.all(of: performance) where state.withLock({ $0.summary.isNew(orders) }) {
            let advice = request.world.stall == 0 ? " (with --stall 3:900ms they may)" : ""
            let text = StackPlaces(script).completed(orders.description(advice: advice))
            state.withLock { $0.summary.add(orders, text: text) }
        }
    }

    /// Returns true for the first few findings with a cause.
    private func isWanted(_ complaint: Complaint) -> Bool {
        state.withLock { state in
            state.kept[complaint.cause, default: 0] += 1
            return state.kept[complaint.cause, default: 0] <= Self.mostKept
        }
    }

    /// Returns the shrunk finding of a failure, how it fails, and the number of tries if they did not suffice.
    private func smallest(
        _ performance: Performance, _ script: Script, _ complaint: Complaint
    ) throws -> (Finding, Complaint, unfinished: Int?) {
        var smallest = performance
        // Each try would take as long in real time, and where that ends it is chance.
        let shrunk =
            complaint.ending == .overdue
            ? nil
            : try conductor.shrink(
                performance, of: script, mostTries: request.tries, isStopped: { interruption != nil },
                fails: { complaint.like(in: $0) != nil })
        if let shrunk { smallest = try conductor.perform(script, shrunk.course) }
        let shown = complaint.like(in: smallest) ?? complaint
        let unfinished = shrunk.flatMap { $0.isComplete ? nil : $0.tries }
        return (
            try Finding(smallest, of: script, settings: conductor.settings, ending: shown.ending), shown, unfinished
        )
    }

    /// Updates the summary and writes it beside the findings, so that nothing is lost if this program is killed.
    private func keep(_ state: inout State) throws {
        state.keptAt = .now
        state.summary.seconds = (state.keptAt - start) / .seconds(1)
        state.summary.cover(state.coverage)
        guard let directory = request.findings else { return }
        try SummaryFile(directory, request.seeds.lowerBound, request.shard).write(state.summary)
    }

    private func writeTraces(_ performance: Performance, _ seed: UInt64) throws {
        guard let directory = request.traces else { return }
        let text = PerformanceText(performance).text
        try Data(text.utf8).write(to: directory.appending(path: "seed-\(seed).txt"))
    }
}
