import Configuration
import DatabaseServers
import Foundation
import Glibc
import Locking
import Processes
import Trials

/// Real host services, each with its companion, that share a server while it is killed and its replica promoted.
final class ServiceFleet: Sendable {
    /// The number of host services. Sixteen: with their companions, 32 processes, which a small machine runs as well.
    static let hosts = 16
    /// The quizzes submitted at once.
    private static let batch = 4
    /// One in this many batches finds its host killed while it stores them.
    private static let kills = 8
    /// The longest time in which a quiz must be stored, whatever happens to the server. Two minutes: the companion sends
    /// again after 30 s at the latest, and starting a server takes seconds on a busy machine.
    private static let patience: Duration = .seconds(120)

    private struct State {
        var isOver = false
        /// The number of quizzes that each companion accepted, and that its host stored.
        var accepted: [Int: Int] = [:]
        var replied: [Int: Int] = [:]
        var hostKills = 0
        var failures: [String] = []
    }

    private let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)
    private let folder: URL

    init(in scratch: ScratchDirectory) { folder = scratch.url.appending(path: "fleet") }

    /// Kills the primary in each way, promotes its replica, and counts the rows there.
    ///
    /// - Returns: The number of quizzes, of the server's kills, and of the hosts'.
    func run(seconds: Double, in scratch: ScratchDirectory) throws -> (quizzes: Int, serverKills: Int, hostKills: Int) {
        let primary = try LocalServer("fleet-primary", in: scratch)
        let replica = try LocalServer("fleet-replica", in: scratch)
        try primary.start(withReplica: replica)
        try start(LocalServer.url("\(primary.sockets),\(replica.sockets)"))
        let deadline = ContinuousClock.now + .seconds(seconds)
        var kills = 0
        repeat {
            try waitForProgress()
            try primary.end(by: kills.isMultiple(of: 2) ? SIGQUIT : SIGKILL)
            try primary.start()
            kills += 1
        } while ContinuousClock.now < deadline
        try waitForProgress()
        try primary.end(by: SIGKILL)
        try replica.promote()
        try waitForProgress()
        let quizzes = try finish()
        try expect(quizzes, in: replica)
        try replica.end(by: SIGQUIT)
        return (quizzes, kills + 1, state.withLock { $0.hostKills })
    }

    private func start(_ url: String) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for number in 0..<Self.hosts {
            Thread.detachNewThread { [self] in
                do {
                    try deliver(number, url)
                } catch {
                    state.withLock { $0.failures.append("host \(number): \(error)") }
                }
                end.signal()
            }
        }
    }

    /// Runs one host and its companion until the end, and delivers quizzes between them.
    private func deliver(_ number: Int, _ url: String) throws {
        let services = try TrialServices(in: folder.appending(path: "\(number)")) { _ in }
        let host = "{ database: { url: '\(url)' }, log: { file: 'none' } }"
        let companion = "{ link: { firstReconnect: 0.05, longestReconnect: 1 }, log: { file: 'none' } }"
        func start(_ service: String, _ configuration: String) throws {
            guard try services.start(service, configuration: configuration) else {
                throw FaultFailure("the \(service) did not start")
            }
        }
        try start("host", host)
        try start("companion", companion)
        while !state.withLock({ $0.isOver }) {
            let accepted = try submit(to: services)
            state.withLock { $0.accepted[number, default: 0] += accepted.count }
            if Int.random(in: 0..<Self.kills) == 0 {
                services.kill("host")
                state.withLock { $0.hostKills += 1 }
                try start("host", host)
            }
            for identifier in accepted { try expectReply(to: identifier, services) }
            state.withLock { $0.replied[number, default: 0] += accepted.count }
        }
        try expectReport(services)
        for service in ["companion", "host"] { try services.stop(service) }
    }

    /// Expects that a host's status knows the server, which is another one since the promotion.
    private func expectReport(_ services: TrialServices) throws {
        let status = try services.call("host", "status", [:])
        let server = status["databaseServer"]
        guard status["database"] == "available", server?["schemaVersion"] == 2,
            server?["hosts"]?.integer == Int64(Self.hosts), server?["failedSince"] == .null,
            server?["server"]?.string?.hasSuffix("fleet-replica-socket") == true
        else { throw FaultFailure("the status says of the server: \(String(describing: server))") }
    }

    private func submit(to services: TrialServices) throws -> [String] {
        let quizzes = TrialSubject.quizzes
        let request = JSONValue.object([quizzes.application: quizzes.documents(Self.batch)])
        let results = try services.call("companion", "submit", request).array ?? []
        return results.compactMap { $0["status"]?.string == "accepted" ? $0["identifier"]?.string : nil }
    }

    private func expectReply(to identifier: String, _ services: TrialServices) throws {
        let question: JSONValue = [
            "identifier": .string(identifier), "within": .number(Self.patience / .seconds(1)),
        ]
        let end = try services.call("companion", "wait", question, within: Self.patience * 2)
        guard end["status"]?.string == "replied" else {
            throw FaultFailure("a quiz was \(end["status"]?.string ?? "?"): \(end["reason"]?.string ?? "no reason")")
        }
    }

    /// Waits until each host has stored quizzes again, so that the next fault meets work.
    private func waitForProgress() throws {
        let before = state.withLock { $0.replied }
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            let (now, failures) = state.withLock { ($0.replied, $0.failures) }
            if let failure = failures.first { throw FaultFailure(failure) }
            if (0..<Self.hosts).allSatisfy({ (now[$0] ?? 0) > (before[$0] ?? 0) }) { return }
            usleep(5_000)
        }
        throw FaultFailure("not every host stored a quiz within \(Self.patience)")
    }

    /// Ends all services, and returns the number of accepted quizzes, each of which was answered as stored.
    private func finish() throws -> Int {
        state.withLock { $0.isOver = true }
        for _ in 0..<Self.hosts { end.wait() }
        let state = state.withLock { $0 }
        if let failure = state.failures.first { throw FaultFailure(failure) }
        return state.accepted.values.reduce(0, +)
    }

    /// Counts from outside, with psql.
    private func expect(_ count: Int, in server: LocalServer) throws {
        let found = try server.query(
            """
            SELECT count(*), count(DISTINCT identifier), count(DISTINCT host),
                \(FaultTable.hostsCount("quizzes")) FROM quizzes
            """)
        guard found == "\(count)|\(count)|\(Self.hosts)|\(count)" else {
            throw FaultFailure(
                "psql counts rows|identifiers|hosts|records as \(found); \(count) of \(Self.hosts) hosts were stored")
        }
    }
}
