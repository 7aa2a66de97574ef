import Foundation
import LinkProtocol
import LinkTransport
import Processes
import Trials

/// The cost of idle services: start, memory, wake-ups.
struct StartBenchmark {
    let effort: Effort
    let folder: BenchFolder

    func report() throws -> Report {
        var starts: [Double] = []
        for _ in 0..<max(1, effort.rounds * 2) {
            let path = try folder.socket("start")
            let start = MonotonicTime.now
            let host = try process("host", path)
            guard host.waitForLines(containing: "ready", within: .seconds(30)) else {
                throw BenchError("the host did not start")
            }
            starts.append((MonotonicTime.now - start).inSeconds)
            host.kill()
        }
        let path = try folder.socket("rest")
        let (host, companion) = (try process("host", path), try process("companion", path))
        defer {
            companion.kill()
            host.kill()
        }
        guard companion.waitForLines(containing: "reachability changed", within: .seconds(30)) else {
            throw BenchError("the companion did not reach the host")
        }
        // The start-up phase is excluded.
        Thread.sleep(forTimeInterval: effort.seconds)
        let before = try ProcessFigures.wakeUps(host.identifier)
        let seconds = max(effort.seconds * 60, 0.5)
        Thread.sleep(forTimeInterval: seconds)
        let after = try ProcessFigures.wakeUps(host.identifier)
        // Threads that ended in between are left out; one that began in between counts from zero.
        let wakeUps = after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) } / seconds
        return Report(
            title: "Start and rest",
            rows: [
                Measurement(
                    name: "host, from exec to ready", value: starts.sorted()[starts.count / 2], unit: .seconds,
                    goal: .atMost(0.02)),
                Measurement(
                    name: "host, resident at rest", value: try ProcessFigures.residentBytes(host.identifier),
                    unit: .bytes, goal: .atMost(22 * 1_048_576)),
                Measurement(
                    name: "companion, resident at rest", value: try ProcessFigures.residentBytes(companion.identifier),
                    unit: .bytes, goal: .atMost(22 * 1_048_576)),
                Measurement(
                    name: "host, wake-ups per second, connected", value: wakeUps, unit: .count, goal: .atMost(0.1)),
            ])
    }

    private func process(_ name: String, _ path: String) throws -> BackgroundProcess {
        try BackgroundProcess(
            name, executable: TrialServices.ownPrograms.appending(path: "watchlink-\(name)"),
            arguments: ["--state-directory", path])
    }
}
