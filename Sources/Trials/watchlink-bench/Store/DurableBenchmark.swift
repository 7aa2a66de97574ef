import EventLog
import Foundation
import Locking
import Processes
import QuizSync
import RecordStorage
import Trials
import WatchConnectivity

/// Quizzes until they are on the host's disk, compared with SQLite alone, and with SQLite behind a raw socket, which
/// shows how much of the difference is the round trip.
struct DurableBenchmark {
    let effort: Effort
    let folder: BenchFolder

    /// The results of one race.
    private struct Outcomes {
        /// SQLite without a peer, with an integer key.
        let alone: Outcome
        /// SQLite behind a raw socket, with an integer key.
        let served: Outcome
        /// The same with a unique, random text beside it.
        let servedText: Outcome
        /// Quizzes with the identifiers that `QuizData` gives them, which begin with the time.
        let ours: Outcome
        /// Quizzes with random identifiers, of which each changes another page of the host's index.
        let random: Outcome
        let submitted: Outcome
        /// The host's processor time for one of our quizzes, in seconds.
        let processor: Double
    }

    /// The goals, as ratios to SQLite with an integer key. On a memory file system only the processor counts.
    private struct Goals {
        let durable: [Int: Double]
        let outbox: [Int: Double]

        static let disk = Goals(durable: [1: 0.7, 256: 0.8], outbox: [256: 0.3])
        static let memory = Goals(durable: [1: 0.5, 256: 0.25], outbox: [256: 0.12])
        /// A quiz through the outbox beside one that is sent directly, one at a time.
        static let detour = 0.45
        /// The host's processor time for a quiz, in seconds, if many are in flight.
        static let processor = 12e-6
    }

    func report() throws -> Report {
        let pair = try ServicePair(in: folder, ["host"])
        let isInMemory = try folder.isInMemory
        let goals = isInMemory ? Goals.memory : Goals.disk
        var rows: [Measurement] = []
        for outstanding in [1, 256] {
            let outcomes = try race(pair, outstanding)
            let (name, ours) = ("durable, \(outstanding) in flight", outcomes.ours)
            rows += [
                Measurement(
                    name: name, value: ours.rate, unit: .perSecond,
                    reference: ("SQLite, integer key, behind a raw socket", outcomes.served.rate),
                    goal: goals.durable[outstanding].map(Measurement.Goal.ratioAtLeast),
                    details: ours.percentiles + outcomes.served.percentiles.map { ("\($0) of the reference", $1) }),
                Measurement(
                    name: name + ", random identifiers", value: outcomes.random.rate, unit: .perSecond,
                    reference: ("SQLite, integer key, behind a raw socket", outcomes.served.rate),
                    details: outcomes.random.percentiles),
                Measurement(
                    name: name, value: ours.rate, unit: .perSecond,
                    reference: ("SQLite, integer key, alone", outcomes.alone.rate)),
                Measurement(
                    name: name, value: ours.rate, unit: .perSecond,
                    reference: ("SQLite, unique text, behind a raw socket", outcomes.servedText.rate)),
                Measurement(
                    name: "outbox and host, \(outstanding) pending", value: outcomes.submitted.rate, unit: .perSecond,
                    reference: ("SQLite, integer key, behind a raw socket", outcomes.served.rate),
                    goal: goals.outbox[outstanding].map(Measurement.Goal.ratioAtLeast),
                    details: outcomes.submitted.percentiles),
                outstanding == 1
                    ? Measurement(
                        name: "outbox and host, 1 pending", value: outcomes.submitted.rate, unit: .perSecond,
                        reference: ("durable, 1 in flight", ours.rate), goal: .ratioAtLeast(Goals.detour))
                    : Measurement(
                        name: "host's processor for a quiz, \(outstanding) in flight", value: outcomes.processor,
                        unit: .seconds, goal: .atMost(Goals.processor)),
            ]
        }
        try pair.stop(["host"])
        let place = isInMemory ? "a memory file system" : "the disk"
        return Report(
            title: "Durable: replied after the host's commit, on \(place)",
            notes: isInMemory ? [] : ["TMPDIR=/dev/shm measures the processor without the disk."], rows: rows)
    }

    private func race(_ pair: ServicePair, _ outstanding: Int) throws -> Outcomes {
        let reference = try SQLiteReference(
            path: try folder.socket("reference.sqlite"), archive: try BenchQuiz.payload(), key: .integer)
        guard let host = pair.services.processIdentifier(of: "host") else { throw BenchError("the host has ended") }
        var (alone, ours, random, submitted): ([Outcome], [Outcome], [Outcome], [Outcome]) = ([], [], [], [])
        var (processor, quizzes) = (0.0, 0)
        var options = PeerOptions(socket: pair.socket)
        options.seconds = effort.seconds
        options.outstanding = outstanding
        let served = try MeasuredServer("raw-sqlite", drivenBy: "raw", options, in: folder)
        let servedText = try MeasuredServer("raw-sqlite-text", drivenBy: "raw", options, in: folder)
        for _ in 0..<(outstanding == 1 ? Self.moreRounds : 1) * effort.rounds {
            alone.append(try reference.run(seconds: effort.seconds, perTransaction: outstanding))
            try served.drive()
            try servedText.drive()
            options.hasOwnIdentifiers = true
            let before = try ProcessFigures.processorSeconds(host)
            ours.append(try PeerProcess.drive("durable", options))
            processor += try ProcessFigures.processorSeconds(host) - before
            quizzes += ours.last?.count ?? 0
            submitted.append(try PeerProcess.drive("submit", options))
            options.hasOwnIdentifiers = false
            random.append(try PeerProcess.drive("durable", options))
        }
        return Outcomes(
            alone: .median(alone), served: served.outcome, servedText: servedText.outcome, ours: .median(ours),
            random: .median(random), submitted: .median(submitted), processor: processor / Double(max(1, quizzes)))
    }

    /// With one quiz at a time, samples wait for the disk and for processors to wake up, and differ by a third.
    private static let moreRounds = 2

    // MARK: - In the driving process

    /// Sends a different quiz in each message, prepared beforehand, as the rows of the SQLite reference are.
    static func drive(_ options: PeerOptions) throws -> Outcome {
        let makePayload = { @Sendable in
            try BenchQuiz.payload(identifier: options.hasOwnIdentifiers ? nil : UUID())
        }
        // The last one is sent first.
        let payloads = Mutex(Array(try (0..<preparedPayloads).map { _ in try makePayload() }.reversed()))
        return try SessionPeer.drive(options) { try payloads.withLock { $0.popLast() } ?? makePayload() }
    }

    /// More than one sample sends, except on a very fast disk.
    private static let preparedPayloads = 50_000

    /// Sends quizzes through the durable outbox: accepted on this side's disk, then stored on the host's.
    static func driveOutbox(_ options: PeerOptions) throws -> Outcome {
        let session = WCSession(configuration: try SessionPeer.configuration(.companion, options))
        let delegate = WatchSessionDelegate()
        session.delegate = delegate
        session.activate()
        let path = "\(options.socket).\(UUID().uuidString.prefix(8)).sqlite"
        let outbox = Outbox(store: OutboxStore(path: path), session: session, logger: .silent)
        let reachable = DispatchSemaphore(value: 0)
        let observation = session.observe(\.isReachable, options: [.initial]) { session, _ in
            if session.isReachable { reachable.signal() }
        }
        reachable.wait()
        outbox.start()
        // The outbox calls back on the main queue, as in an application.
        let thread = Thread {
            let outcome = OutboxRun(outbox, options).run()
            DispatchQueue.main.async { finish(outcome) }
        }
        thread.start()
        withExtendedLifetime((delegate, observation)) { dispatchMain() }
    }

    private static func finish(_ outcome: Outcome) -> Never {
        PeerRole.print(outcome)
        ExitCode.success.exit()
    }
}
