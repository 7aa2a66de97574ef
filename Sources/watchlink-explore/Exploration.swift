import Foundation
import Locking
import ServiceRuntime
import VirtualTime

/// Many seeds on several threads, each with the devices of its own.
final class Exploration: Sendable {
    /// What came of all seeds.
    struct Report {
        /// By their seeds.
        var complaints: [UInt64: String] = [:]
        /// Seeds that were not the same when they ran again.
        var unrepeatable: [UInt64] = []
        var files: [String] = []
        var runs = 0
        var error: (any Error)?
    }

    private struct State {
        var next: UInt64?
        var report = Report()
    }

    private let request: ExploreRequest
    private let conductor: Conductor
    private let state: Mutex<State>

    init(_ request: ExploreRequest) throws {
        self.request = request
        var conductor = try Conductor(library: request.library)
        // After every date in the example configurations and quizzes: 2030-01-01.
        conductor.settings.epoch = 1_893_456_000_000_000_000
        self.conductor = conductor
        state = Mutex(State(next: request.seeds.lowerBound))
        for directory in [request.findings, request.traces].compactMap(\.self) {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }
    }

    func run() -> Report {
        DispatchQueue.concurrentPerform(iterations: request.jobs) { _ in
            while let seed = nextSeed() {
                do {
                    try explore(seed)
                } catch {
                    state.withLock { state in
                        state.next = nil
                        if state.report.error == nil { state.report.error = error }
                    }
                }
            }
        }
        return state.withLock { $0.report }
    }

    private func nextSeed() -> UInt64? {
        state.withLock { state in
            let seed = state.next
            state.next = seed.flatMap { $0 < request.seeds.upperBound ? $0 + 1 : nil }
            return seed
        }
    }

    private func explore(_ seed: UInt64) throws {
        let script = try request.scene.script(seed: seed)
        let performance = try conductor.perform(script, JointCourse(seed: seed))
        try writeTraces(performance, seed)
        let complaint = Complaint(about: performance)
        // A finding that does not come again is worth nothing; of the others some are looked at.
        var isRepeatable = true
        if complaint != nil || seed == request.seeds.lowerBound {
            isRepeatable = try conductor.perform(script, JointCourse(seed: seed)) == performance
        }
        var file: String?
        if let complaint, isRepeatable, let directory = request.findings {
            file = try keep(performance, script, complaint, in: directory)
        }
        state.withLock { state in
            state.report.runs += 1
            if let complaint { state.report.complaints[seed] = complaint.description }
            if !isRepeatable { state.report.unrepeatable.append(seed) }
            if let file { state.report.files.append(file) }
        }
    }

    /// Makes the failure small and writes it into a file.
    private func keep(
        _ performance: Performance, _ script: Script, _ complaint: Complaint, in directory: URL
    ) throws -> String {
        var smallest = performance
        let shrunk = try conductor.shrink(performance, of: script, mostTries: request.tries) {
            complaint.isLike(Complaint(about: $0))
        }
        if let shrunk { smallest = try conductor.perform(script, shrunk.course) }
        let path = directory.appending(path: "seed-\(performance.course.seed).json").path(percentEncoded: false)
        let ending = Complaint(about: smallest)?.ending ?? complaint.ending
        try Finding(smallest, of: script, settings: conductor.settings, ending: ending).write(to: path)
        return path
    }

    private func writeTraces(_ performance: Performance, _ seed: UInt64) throws {
        guard let directory = request.traces else { return }
        let text = PerformanceText(performance).text
        try Data(text.utf8).write(to: directory.appending(path: "seed-\(seed).txt"))
    }
}
