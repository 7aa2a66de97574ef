import EventLog
import Foundation
import Locking
import Processes
import QuizSync
import RecordStorage
import WatchConnectivity

/// Quizzes until they are on the host's disk, compared with SQLite alone, and with SQLite behind a raw socket, which
/// shows how much of the difference is the round trip.
struct DurableBenchmark {
    let effort: Effort
    let folder: BenchFolder

    func report() throws -> Report {
        let pair = try ServicePair(in: folder, ["host"])
        var rows: [Measurement] = []
        for (outstanding, wanted) in [(1, 0.7), (256, 0.6)] {
            let (store, served, ours, submitted) = try race(pair, outstanding)
            let alone = ("SQLite, \(outstanding) per transaction", store.rate)
            rows += [
                Measurement(
                    name: "durable, \(outstanding) in flight", value: ours.rate, unit: .perSecond,
                    reference: ("SQLite behind a raw socket", served.rate), goal: .ratioAtLeast(wanted),
                    details: ours.percentiles),
                Measurement(
                    name: "durable, \(outstanding) in flight", value: ours.rate, unit: .perSecond, reference: alone),
                Measurement(
                    name: "outbox and host, \(outstanding) pending", value: submitted.rate, unit: .perSecond,
                    reference: alone, goal: outstanding == 256 ? .ratioAtLeast(0.3) : nil,
                    details: submitted.percentiles),
            ]
        }
        try pair.stop(["host"])
        return Report(title: "Durable: replied after the host's commit", rows: rows)
    }

    private func race(
        _ pair: ServicePair, _ outstanding: Int
    ) throws -> (store: Outcome, served: Outcome, ours: Outcome, submitted: Outcome) {
        let reference = try SQLiteReference(
            path: try folder.socket("reference.sqlite"), archive: try BenchQuiz.payload())
        var (store, ours, submitted): ([Outcome], [Outcome], [Outcome]) = ([], [], [])
        var options = PeerOptions(socket: pair.socket)
        options.seconds = effort.seconds
        options.outstanding = outstanding
        let served = try MeasuredServer("raw-sqlite", drivenBy: "raw", options, in: folder)
        for _ in 0..<(outstanding == 1 ? Self.moreRounds : 1) * effort.rounds {
            store.append(try reference.run(seconds: effort.seconds, perTransaction: outstanding))
            try served.drive()
            ours.append(try PeerProcess.drive("durable", options))
            submitted.append(try PeerProcess.drive("submit", options))
        }
        return (.median(store), served.outcome, .median(ours), .median(submitted))
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
