import DeviceWorlds
import Foundation
import Locking
import VirtualTime

/// Runs the worlds of one test.
final class SimulationRun: Sendable {
    /// A world that failed, or that differed when it was repeated.
    private struct Found {
        let seed: Int
        let performance: Performance
        let failure: SimulationFailure?
        /// The repetition, if it differed.
        let again: Performance?
    }

    private struct State {
        var next: Int?
        var strategy = Strategy.random
        var reached: Set<String> = []
        var found: [Found] = []
        var report = SimulationReport()
    }

    /// Limits all tests together to one world per processor: tests run in parallel, and more would only be slower.
    private static let places = DispatchSemaphore(value: ProcessInfo.processInfo.activeProcessorCount)

    private let test: TestIdentity
    private let plan: SimulationPlan
    private let settings: SimulationSettings
    private let directory: FindingsDirectory
    private let template: ProcessTemplate
    private let conductor: Conductor
    /// The orders of delivery, if all are to be run; nil if seeds decide.
    private let orders: OrderQueue?
    private let state: Mutex<State>

    init(_ test: TestIdentity, _ plan: SimulationPlan, _ settings: SimulationSettings) throws(SimulationError) {
        (self.test, self.plan, self.settings) = (test, plan, settings)
        directory = FindingsDirectory(test)
        do throws(ConductorError) {
            template = try ProcessTemplate(TestBundle.program("template", test, [:]), mark: test.description)
        } catch {
            throw .conductor(error)
        }
        var conductor = Conductor(template: template)
        conductor.room = directory.stem + "-"
        conductor.settings = settings.world
        self.conductor = conductor
        orders = settings.strategy == .orders ? DeliveryReordering.queue() : nil
        state = Mutex(State(next: settings.seeds.lowerBound))
    }

    /// Runs all seeds on new threads, and blocks the calling thread until they have ended.
    func run() -> SimulationReport {
        guarded {
            let strategy = try settings.strategy.strategy(by: conductor, for: plan.script)
            state.withLock { $0.strategy = strategy }
        }
        // Not on a dispatch queue: these threads block, and tasks of other tests need the queue's threads.
        Thread.inParallel(settings.jobs) { [self] in
            while let (seed, branch) = next() {
                guarded { try explore(seed, branch) }
            }
        }
        // Seeds start in order, so all seeds before the first failed one have run, whichever ended first.
        let found = state.withLock { $0.found.sorted { $0.seed < $1.seed }.prefix(settings.failures) }
        for found in found {
            guarded {
                let failed = try tell(found)
                state.withLock { $0.report.failed.append(failed) }
            }
        }
        return state.withLock { state in
            var report = state.report
            if report.failed.isEmpty && report.error == nil {
                report.unreached = plan.sometimes.filter { !state.reached.contains($0) }
            }
            if orders?.count.areAll == true {
                report.notes.append("\(test.name): \(report.runs) orders of delivery; \(DeliveryReordering.completion)")
            }
            return report
        }
    }

    /// Repeats a finding's world, and nothing else.
    func replay(_ finding: Finding) -> SimulationReport {
        guarded {
            guard let script = finding.script, let course = finding.jointCourse else { return }
            var conductor = conductor
            conductor.settings = finding.settings
            let warnings = finding.warnings(for: try build(script))
            let performance = try perform(conductor, script, course)
            let failure = SimulationFailure(of: performance)
            state.withLock { state in
                state.report.runs = 1
                state.report.notes = warnings
                if let failure {
                    state.report.failed = [
                        FailedSeed(
                            seed: Int(clamping: course.seed),
                            text: "Seed \(course.seed), again: \(StackPlaces(script).completed(failure.description))",
                            files: [("seed-\(course.seed).txt", PerformanceText(performance).text)])
                    ]
                } else {
                    state.report.notes.append("the finding of seed \(course.seed) no longer fails")
                }
            }
        }
        return state.withLock { $0.report }
    }

    /// Returns the next seed, or the number of the next order with its course.
    private func next() -> (Int, OrderTree.Branch?)? {
        guard let orders else { return nextSeed().map { ($0, nil) } }
        if state.withLock({ $0.next == nil || $0.found.count >= settings.failures }) { orders.stop() }
        return orders.next().map { (Int(clamping: $0.number), $0.branch) }
    }

    private func nextSeed() -> Int? {
        state.withLock { state in
            guard state.found.count < settings.failures, let seed = state.next else { return nil }
            state.next = seed < settings.seeds.upperBound ? seed + 1 : nil
            return seed
        }
    }

    /// Runs the world of a seed or of an order.
    private func perform(_ course: JointCourse, _ branch: OrderTree.Branch?) throws -> Performance {
        guard let orders, let branch else { return try perform(conductor, plan.script, course) }
        do {
            let performance = try perform(conductor, plan.script, course)
            try orders.done(performance, of: branch)
            return performance
        } catch let error as SimulationError {
            try orders.done(nil, of: branch)
            throw error
        }
    }

    private func explore(_ seed: Int, _ branch: OrderTree.Branch?) throws {
        Self.places.wait()
        defer { Self.places.signal() }
        let course =
            branch?.course ?? JointCourse(seed: UInt64(seed), strategy: state.withLock { $0.strategy })
        let performance = try perform(course, branch)
        let failure = SimulationFailure(of: performance)
        var found: Found?
        // A world that cannot be repeated is worthless: the first one and failed ones are checked.
        if failure != nil || seed == settings.seeds.lowerBound || (branch != nil && seed == 1) {
            let again = try perform(conductor, plan.script, course)
            let isSame = again == performance
            if failure != nil || !isSame {
                found = Found(seed: seed, performance: performance, failure: failure, again: isSame ? nil : again)
            }
        }
        let reached = performance.processes.flatMap { ReachedNames($0.world.trace).names }
        state.withLock { state in
            state.report.runs += 1
            state.reached.formUnion(reached)
            if let found { state.found.append(found) }
        }
    }

    private func tell(_ found: Found) throws -> FailedSeed {
        Self.places.wait()
        defer { Self.places.signal() }
        let seed = found.seed
        if let failure = found.failure, found.again == nil { return try keep(seed, found.performance, failure) }
        let parting = found.again.flatMap { PerformanceParting(of: found.performance, from: $0) }
        var text = "Seed \(seed) differs when it is repeated: something in it is not controlled by its world"
        if let parting { text += " (\(parting.text))" }
        if let failure = found.failure { text += ". The first run: \(failure.description)" }
        let performances = [("", found.performance)] + (found.again.map { [("-again", $0)] } ?? [])
        return FailedSeed(
            seed: seed, text: text,
            files: performances.map { ("seed-\(seed)\($0).txt", PerformanceText($1).text) })
    }

    /// Shrinks the failure, and writes its files.
    private func keep(
        _ seed: Int, _ performance: Performance, _ failure: SimulationFailure
    ) throws -> FailedSeed {
        let shrunk = try conductor.shrink(performance, of: plan.script, mostTries: settings.tries) {
            failure.isLike(SimulationFailure(of: $0))
        }
        let smallest = try shrunk.map { try perform(conductor, plan.script, $0.course) } ?? performance
        let last = SimulationFailure(of: smallest) ?? failure
        let finding = try Finding(smallest, of: plan.script, settings: conductor.settings, ending: last.ending)
        var files = [
            ("seed-\(seed).json", String(decoding: try finding.encoded(), as: UTF8.self)),
            ("seed-\(seed).txt", PerformanceText(smallest).text),
        ]
        if let picture = try PerformanceTimeline(smallest).html() { files.append(("seed-\(seed).html", picture)) }
        let paths = try directory.write(files)
        let course = ShortCourse.glance(finding.words).map { "\n    \($0)" }.joined()
        let early = shrunk?.isComplete == false ? " (not the fewest: stopped after \(settings.tries) tries)" : ""
        let replay = "\(SimulationSettings.replayVariable)='\(paths[0])' swift test --filter '\(test.filter)'"
        let text = """
            Seed \(seed) of \(settings.seeds) fails: \(StackPlaces(plan.script).completed(last.description))
            Decisions that make it fail: \(finding.departures)\(early)\(course)
            Output of the devices: \(paths[1])\(paths.count > 2 ? ", timeline: \(paths[2])" : "")
            Run again: \(replay)
            """
        return FailedSeed(seed: seed, text: text, files: files)
    }

    private func build(_ script: Script) throws(SimulationError) -> [BuildIdentity] {
        do {
            return try script.builds()
        } catch {
            throw .build(error)
        }
    }

    private func perform(
        _ conductor: Conductor, _ script: Script, _ course: JointCourse
    ) throws(SimulationError) -> Performance {
        do {
            return try conductor.perform(script, course)
        } catch .system(_, let code) where code == EPIPE {
            throw .noTemplate(template.text)
        } catch {
            throw .conductor(error)
        }
    }

    private func guarded(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let error = error as? SimulationError ?? .other("\(error)")
            state.withLock { state in
                state.next = nil
                if state.report.error == nil { state.report.error = error }
            }
            orders?.stop()
        }
    }
}
