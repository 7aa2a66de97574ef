import CrashPoints
package import Foundation
import LinkProtocol
import ServiceRuntime
import Storage

/// Rounds of work and trouble with the real services, and a look at everything that they keep after each.
package final class Torture {
    /// Rounds with one set of databases. 25: grown enough to show what growth does, and new ones often enough.
    private static let roundsPerDirectory = 25
    /// Quizzes of a round, and how many are handed over at once.
    private static let (quizzes, batch) = (20, 4)
    /// A file of some chunks.
    private static let fileBytes = 400_000
    /// How long a process that is to crash may go on when its work is done.
    private static let lastMoments: Duration = .milliseconds(500)
    /// Logs are put aside often, so that a crash in the middle of that can happen.
    private static let configuration = """
        { log: { maximumBytes: 8192 }, link: { firstReconnect: 0.02, longestReconnect: 0.2 } }
        """
    private static let hostConfiguration = "{ log: { maximumBytes: 8192 } }"

    private let seed: UInt64
    private var random: SeededGenerator
    private let directory: URL
    private let onLine: @Sendable (String) -> Void
    private var services: TrialServices
    private var folder = 0
    /// What the companion accepted, with these databases.
    private var accepted: [String] = []
    private var transfers: [(service: String, identifier: String)] = []
    private var devices: [String: String] = [:]
    /// How often each kind of trouble happened.
    package private(set) var counts: [String: Int] = [:]

    package init(seed: UInt64, in directory: URL, onLine: @escaping @Sendable (String) -> Void) throws {
        self.seed = seed
        self.directory = directory
        self.onLine = onLine
        random = SeededGenerator(seed: seed)
        services = try TrialServices(
            in: directory.appending(path: "0"), programs: TrialServices.ownPrograms, onLine: onLine)
    }

    /// One round: start, work, trouble, restart, and every promise checked.
    ///
    /// - Returns: What the trouble was.
    /// - Throws: ``TrialFailure`` with the promise that was not kept.
    package func round(_ number: Int) throws -> String {
        if number > 0, number % Self.roundsPerDirectory == 0 { try begin() }
        let trouble = TortureTrouble(&random)
        do {
            try endure(trouble)
            try settle()
            try check()
        } catch let error as TrialFailure {
            throw error
        } catch {
            throw TrialFailure("\(trouble): \(error)")
        }
        for service in ["companion", "host"] { try services.stop(service) }
        try checkArrivals()
        try checkIntegrity()
        return "\(trouble)"
    }

    /// New databases.
    private func begin() throws {
        folder += 1
        let former = directory.appending(path: "\(folder - 1)")
        services = try TrialServices(
            in: directory.appending(path: "\(folder)"), programs: TrialServices.ownPrograms, onLine: onLine)
        accepted.removeAll()
        transfers.removeAll()
        try FileManager.default.removeItem(at: former)
    }

    // MARK: - Work and trouble

    private func endure(_ trouble: TortureTrouble) throws {
        var crashPoints: [String: String] = [:]
        if case .crash(let service, let point, let pass) = trouble {
            crashPoints[service] = "\(point.rawValue):\(pass)"
            counts[point.rawValue, default: 0] += 1
        }
        for service in ["host", "companion"] { _ = try start(service, crashPoint: crashPoints[service]) }
        switch trouble {
        case .kill(let victims, let delay):
            counts["SIGKILL", default: 0] += 1
            let services = UncheckedServices(services)
            let killer = Thread {
                // The one place where time passes for its own sake: a crash comes when it comes.
                Thread.sleep(forTimeInterval: Double(delay) / 1_000)
                for victim in victims { services.value.kill(victim) }
                services.done.signal()
            }
            killer.start()
            work()
            services.done.wait()
        case .crash(let service, _, _):
            work()
            // Until all is done or the companion is gone; without the host nothing gets done. Then a process that never came
            // by the place ends as well.
            if let last = accepted.last {
                _ = attempt("companion", "wait", ["identifier": .string(last)], within: Self.lastMoments)
            }
            if services.isRunning(service) { counts["not reached", default: 0] += 1 }
            services.kill(service)
        case .disk(let service, let fault, let writes):
            counts[fault.rawValue, default: 0] += 1
            try setDisk(service, fault, writes)
            work()
            try setDisk(service, .none, 0)
        }
    }

    // Proof of `@unchecked Sendable`: the killer only kills, which a process's handle may be told from any thread.
    private struct UncheckedServices: @unchecked Sendable {
        let value: TrialServices
        let done = DispatchSemaphore(value: 0)
        init(_ value: TrialServices) { self.value = value }
    }

    private func start(_ service: String, crashPoint: String? = nil) throws -> Bool {
        try services.start(
            service, configuration: service == "host" ? Self.hostConfiguration : Self.configuration,
            crashPoint: crashPoint)
    }

    private func setDisk(_ service: String, _ fault: DiskFault, _ writes: Int) throws {
        _ = try services.call(
            service, "faults.apply", JSONValue(deed: FaultDeed.disk(fault, after: writes)))
    }

    /// Hands over quizzes and transfers, as long as somebody takes them. What is refused was not promised.
    private func work() {
        for index in 0..<(Self.quizzes / Self.batch) {
            let quizzes = JSONValue.array((0..<Self.batch).map { _ in TrialServices.quiz() })
            if let results = attempt("companion", "submit", ["quizzes": quizzes]) {
                for result in results.array ?? [] where result["status"]?.string == "accepted" {
                    if let identifier = result["identifier"]?.string { accepted.append(identifier) }
                }
            }
            send("companion", ["kind": "user-info", "content": .string("\(index)")])
            send("host", ["kind": "user-info", "content": .string("\(index)")])
            for service in ["host", "companion"] where random.happens(0.3) {
                send(service, ["kind": "context", "content": .string("\(UUID())")])
            }
        }
        if random.happens(0.3) {
            let path = directory.appending(path: "file").path(percentEncoded: false)
            guard FileManager.default.createFile(atPath: path, contents: Data(count: Self.fileBytes)) else { return }
            send("companion", ["kind": "file", "path": .string(path)])
        }
    }

    private func send(_ service: String, _ params: JSONValue) {
        guard let identifier = attempt(service, "send", params)?["identifier"]?.string else { return }
        transfers.append((service, identifier))
    }

    private func attempt(
        _ service: String, _ method: String, _ params: JSONValue, within patience: Duration = TrialServices.patience
    ) -> JSONValue? {
        do throws(ControlClient.Failure) {
            return try services.call(service, method, params, within: patience)
        } catch {
            onLine("torture | \(service) did not take it: \(error)")
            return nil
        }
    }

    // MARK: - Promises

    /// Whoever is down comes back, and everything that was promised is done.
    private func settle() throws {
        for service in ["host", "companion"] where !isReady(service) {
            services.kill(service)
            guard try start(service) else { throw TrialFailure("the \(service) does not start again") }
        }
        for identifier in accepted.suffix(Self.quizzes) {
            let end = try services.call("companion", "wait", ["identifier": .string(identifier)])
            guard end["status"]?.string == "replied" else {
                throw TrialFailure(
                    "quiz \(identifier) ended as \(end["status"]?.string ?? "?"): \(end["reason"]?.string ?? "")")
            }
        }
        for service in ["companion", "host"] { try services.awaitTransfers(service) }
    }

    private func isReady(_ service: String) -> Bool {
        services.isRunning(service) && attempt(service, "status", .object([:])) != nil
    }

    private func check() throws {
        var stored: [String: Int] = [:]
        var rows: [String] = []
        var after: Int64 = 0
        while true {
            let page = try services.call("host", "quizzes.list", ["after": .integer(after)]).array ?? []
            guard let last = page.last?["sequence"]?.integer else { break }
            for quiz in page {
                rows.append(quiz["identifier"]?.string ?? "")
                stored[rows.last ?? "", default: 0] += 1
            }
            after = last
        }
        for identifier in accepted where stored[identifier] != 1 {
            throw TrialFailure("quiz \(identifier) was accepted, and is stored \(stored[identifier] ?? 0) times")
        }
        if let twice = stored.first(where: { $0.value > 1 }) {
            throw TrialFailure("quiz \(twice.key) is stored \(twice.value) times")
        }
        try checkOrder(rows)
        devices = [:]
        for service in ["host", "companion"] {
            devices[service] = try services.call(service, "device.status")["identifier"]?.string
        }
    }

    /// Quizzes are stored in the order in which they were accepted, without exception.
    ///
    /// - Parameter rows: The identifiers in the host's database, in the order of the rows. There may be some that were accepted by a
    ///   companion that was killed before it could say so.
    private func checkOrder(_ rows: [String]) throws {
        let places = Dictionary(uniqueKeysWithValues: accepted.enumerated().map { ($1, $0) })
        let found = rows.compactMap { places[$0] }
        if let late = zip(found, found.dropFirst()).first(where: { $0 > $1 }) {
            throw TrialFailure(
                "quiz \(accepted[late.1]) was accepted before \(accepted[late.0]), and is stored behind it")
        }
    }

    /// What was queued is in its receiver's memory of what arrived, and both ledgers say so.
    private func checkArrivals() throws {
        for (service, identifier) in transfers.suffix(64) {
            let receiver = service == "host" ? "companion" : "host"
            let store = SessionStore(path: services.state.path + "/\(receiver)/session.sqlite")
            // A watch has one phone, whichever it is.
            let peer = receiver == "host" ? devices["companion"].flatMap(UUID.init(uuidString:)) : .unknownPeer
            guard let transfer = UUID(uuidString: identifier), let peer, try store.hasSeen(transfer, from: peer) else {
                throw TrialFailure("transfer \(identifier) of the \(service) has not arrived, and nothing waits")
            }
            for (side, direction) in [(service, LedgerEntry.Direction.outgoing), (receiver, .incoming)] {
                var query = LedgerQuery()
                query.identifier = transfer
                let entry = try ledger(of: side, query).first { $0.direction == direction }
                let isWaiting =
                    try direction == .incoming && entry?.state == .received && inbox(of: side).contains(transfer)
                guard entry?.state == .delivered || isWaiting else {
                    let state = entry?.state.rawValue ?? "nothing"
                    throw TrialFailure(
                        "transfer \(identifier) of the \(service) has arrived; the \(side)'s ledger says \(state)")
                }
            }
        }
        try checkEnds()
    }

    /// At rest every transfer has its end in the ledgers, contexts as well, which nobody was told the identifier of.
    private func checkEnds() throws {
        for service in ["host", "companion"] {
            let waiting = try inbox(of: service)
            let transfers = try ledger(of: service, LedgerQuery()).filter { entry in
                TransferKind(rawValue: entry.kind)?.isBackground == true
                    && !(entry.state == .received && waiting.contains(entry.identifier))
            }
            if let open = transfers.first(where: { [.queued, .sent, .received].contains($0.state) }) {
                throw TrialFailure(
                    "\(open.direction.rawValue) \(open.kind) \(open.identifier): nothing waits, and the \(service)'s ledger says \(open.state.rawValue)"
                )
            }
        }
    }

    /// What the delegate has not had yet.
    private func inbox(of service: String) throws -> Set<UUID> {
        let store = SessionStore(path: services.state.path + "/\(service)/session.sqlite")
        return Set(try store.inbox(after: 0, limit: SessionStore.inboxCapacity).map(\.identifier))
    }

    private func ledger(of service: String, _ query: LedgerQuery) throws -> [LedgerEntry] {
        try SessionStore(path: services.state.path + "/\(service)/session.sqlite").ledger(query)
    }

    private func checkIntegrity() throws {
        for file in services.state.databases where FileManager.default.fileExists(atPath: file) {
            let problems = try DatabaseCheck.problems(in: file)
            guard problems.isEmpty else { throw TrialFailure("\(file): \(problems.joined(separator: "; "))") }
        }
    }
}
