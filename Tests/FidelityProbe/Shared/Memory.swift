import Foundation

/// What the probe knows over the end of its process: the place in its course, and what it has observed.
///
/// Unchecked: its state is guarded by the lock.
final class Memory: @unchecked Sendable {
    private struct State: Codable {
        /// The number of the step to begin with.
        var next = 0
        /// The processes that worked on this course, counted.
        var lives = 0
        /// The claim whose attempt may end the app.
        var risk: String?
        var observed: [String: String] = [:]
        /// Why claims were not tried.
        var omitted: [String: String] = [:]
    }

    private let lock = NSLock()
    private let file: URL
    private var state = State()
    private var failure: String?

    /// Returns true if an earlier process has begun a course in a directory, and none has finished it.
    static func isUnderWay(in directory: URL) -> Bool { Memory(reading: directory).state.lives > 0 }

    /// Continues what an earlier process has begun in a directory, if any has.
    convenience init(in directory: URL) {
        self.init(reading: directory)
        change { state in
            state.lives += 1
            if let risk = state.risk { state.observed[risk] = "the app ended" }
            state.risk = nil
        }
    }

    private init(reading directory: URL) {
        file = directory.appendingPathComponent("fidelity-probe.json")
        guard let data = FileManager.default.contents(atPath: file.path) else { return }
        do { state = try JSONDecoder().decode(State.self, from: data) } catch { failure = "\(error)" }
    }

    /// The warning that the file cannot be read or written, if so.
    var warning: String? { locked { failure.map { "the course cannot go on in another process: \($0)" } } }
    var next: Int { locked { state.next } }
    var lives: Int { locked { state.lives } }
    var observed: [String: String] { locked { state.observed } }
    var omitted: [String: String] { locked { state.omitted } }

    func begin(step: Int) { change { $0.next = step } }

    func observe(_ claim: String, _ text: String) { change { $0.observed[claim] = text } }

    /// Claims were not tried.
    func omit(_ claims: [String], because reason: String) {
        change { state in for claim in claims { state.omitted[claim] = reason } }
    }

    /// Does something that may end the app; the next process then knows what.
    func risk(_ claim: String, _ deed: () -> Void) {
        change { $0.risk = claim }
        deed()
        change { $0.risk = nil }
    }

    /// Forgets everything; the next process begins anew.
    func clear() { change { $0 = State() } }

    private func change(_ body: (inout State) -> Void) {
        locked {
            body(&state)
            do { try JSONEncoder().encode(state).write(to: file, options: .atomic) } catch { failure = "\(error)" }
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}
