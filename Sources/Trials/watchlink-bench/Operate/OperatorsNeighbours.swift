import Foundation
import Locking
import ServiceRuntime
import Trials

/// Those who use a host while its operator maintains the database: companions that submit, and clients that ask.
struct OperatorsNeighbours {
    /// The quizzes in flight beside a backup.
    private static let outstanding = 256
    /// The goal of a wait beside a compaction.
    private static let longestWait = 0.05
    /// The goal of the rate beside a backup.
    private static let share = 0.9

    let effort: Effort
    let pair: ServicePair

    /// Returns the rate at which quizzes are stored beside a backup, with the rate without as its reference.
    func backup(to path: String) throws -> Measurement {
        var options = PeerOptions(socket: pair.socket)
        options.seconds = effort.seconds
        options.outstanding = Self.outstanding
        var (alone, beside): ([Outcome], [Outcome]) = ([], [])
        for _ in 0..<effort.rounds {
            alone.append(try PeerProcess.drive("durable", options))
            // A backup may be shorter than the sample: then another follows.
            let backups = RepeatedCommand { [words = command("backup")] round in
                let copy = "\(path)-\(round)"
                _ = try MeasuredCommand.run(words + [copy])
                try FileManager.default.removeItem(atPath: copy)
            }
            beside.append(try PeerProcess.drive("durable", options))
            try backups.stop()
        }
        let (reference, outcome) = (Outcome.median(alone), Outcome.median(beside))
        return Measurement(
            name: "durable, \(Self.outstanding) in flight, beside a backup", value: outcome.rate, unit: .perSecond,
            reference: ("without", reference.rate), goal: .ratioAtLeast(Self.share), details: outcome.percentiles)
    }

    /// Returns the longest waits of others beside a compaction.
    func vacuum() throws -> [Measurement] {
        var options = PeerOptions(socket: pair.socket)
        options.seconds = effort.seconds
        let quiet = try PeerProcess.drive("durable", options)
        let asking = WaitingClient(asking: pair.services)
        let submissions = Mutex([Outcome]())
        let submitting = RepeatedCommand { [options] _ in
            let outcome = try PeerProcess.drive("durable", options)
            submissions.withLock { $0.append(outcome) }
        }
        let run = try MeasuredCommand.run(command("vacuum"))
        let waits = try asking.stop()
        try submitting.stop()
        let outcomes = submissions.withLock { $0 }
        return [
            Measurement(name: "vacuum of half the database", value: run.seconds, unit: .seconds),
            Measurement(
                name: "the longest wait of a question beside it", value: waits.longest, unit: .seconds,
                goal: .atMost(Self.longestWait), details: [("p50", waits.p50), ("questions", Double(waits.count))]),
            Measurement(
                name: "the longest wait of a quiz beside it", value: outcomes.map(\.longest).max() ?? 0, unit: .seconds,
                reference: ("without", quiet.longest), goal: .atMost(Self.longestWait),
                details: Outcome.median(outcomes).percentiles),
        ]
    }

    private func command(_ words: String...) -> [String] {
        ["--state-directory", pair.services.state.path, "quizzes"] + words
    }
}
