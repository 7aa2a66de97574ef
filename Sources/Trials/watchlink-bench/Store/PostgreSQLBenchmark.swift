import DatabaseServers
import Foundation
import Glibc
import LinkProtocol
import LinkTransport
import Locking
import PostgreSQLRules
import PostgreSQLStorage
import Processes
import RecordStorage

/// Records until a PostgreSQL server has confirmed them, compared with libpq alone in pipeline mode, and many hosts
/// compared with one. The server is one that the benchmark starts, with its usual settings.
struct PostgreSQLBenchmark {
    let effort: Effort

    /// The number of hosts that insert at once.
    private static let hosts = 64
    private static let kind = RecordKind(name: "bench", plural: "benches", columns: [RecordColumn("title", .text)])

    func report() throws -> Report {
        #if PostgreSQL
            ScratchDirectory.removeAllOnSignals()
            let server = try LocalServer("server", in: try ScratchDirectory())
            try server.initialise()
            try server.start()
            let store = try store("bench", server)
            _ = try store.count()
            let reference = try PostgreSQLReference(server.url, table: Self.kind.plural)
            var rows: [Measurement] = []
            for outstanding in [256, 1] { rows.append(try race(store, reference, outstanding)) }
            rows += try manyHosts(server)
            try server.end(by: SIGQUIT)
            return Report(title: "PostgreSQL: confirmed by the server", rows: rows)
        #else
            throw BenchError(
                "this program was built without PostgreSQL; build it with “swift build -c release --traits PostgreSQL --product watchlink-bench”"
            )
        #endif
    }

    private static func arrivals(_ count: Int, _ archive: Data) -> [RecordArrival] {
        (0..<count).map { _ in
            RecordArrival(
                Record(key: RecordKey(UUID(), device: UUID()), values: [.text("Daily nutrition")], archive: archive),
                receivedAt: Date())
        }
    }

    #if PostgreSQL
        private func store(_ host: String, _ server: LocalServer) throws -> any RecordStore {
            try SharedStore.store(
                kind: Self.kind, settings: PostgreSQLSettings(address: try ServerAddress(server.url), host: host))
        }

        private func race(
            _ store: any RecordStore, _ reference: PostgreSQLReference, _ outstanding: Int
        ) throws -> Measurement {
            let archive = try BenchQuiz.payload()
            var (ours, alone): ([Outcome], [Outcome]) = ([], [])
            var sequence = Int64(outstanding) << 40
            for _ in 0..<effort.rounds {
                alone.append(
                    try Self.run(effort.seconds, outstanding) {
                        try reference.insert(Self.arrivals(outstanding, archive), from: sequence)
                        sequence += Int64(outstanding)
                    })
                ours.append(
                    try Self.run(effort.seconds, outstanding) {
                        _ = try store.insert(Self.arrivals(outstanding, archive))
                    })
            }
            let (our, other) = (Outcome.median(ours), Outcome.median(alone))
            guard outstanding > 1 else {
                return Measurement(
                    name: "one at a time", value: our.p50, unit: .seconds, reference: ("libpq alone", other.p50),
                    goal: .ratioAtMost(1.15), details: our.percentiles)
            }
            return Measurement(
                name: "\(outstanding) under way", value: our.rate, unit: .perSecond,
                reference: ("libpq alone, \(outstanding) per transaction", other.rate), goal: .ratioAtLeast(0.8),
                details: our.percentiles)
        }

        private static func run(_ seconds: Double, _ count: Int, _ insert: () throws -> Void) throws -> Outcome {
            var pace = Pace(seconds: seconds)
            while true {
                let start = MonotonicTime.now
                try insert()
                for _ in 0..<count where !pace.received(sentAt: start) { return pace.outcome }
            }
        }

        /// Compares many hosts with one, and with as many connections of libpq alone, which show what the machine allows.
        private func manyHosts(_ server: LocalServer) throws -> [Measurement] {
            let stores = try (0..<Self.hosts).map { try store("host \($0)", server) }
            for store in stores { _ = try store.count() }
            let references = try (0..<Self.hosts).map { _ in
                try PostgreSQLReference(server.url, table: Self.kind.plural)
            }
            let inserts = stores.map { store in { @Sendable in _ = try store.insert($0) } as Insertion }
            let alone = references.enumerated().map { place, reference in
                // Each has numbers of its own, which no race before gave.
                let sequence = Mutex(Int64(place + 1) << 49)
                return { @Sendable arrivals in
                    try reference.insert(
                        arrivals,
                        from: sequence.withLock { last in
                            last += 1
                            return last
                        })
                } as Insertion
            }
            var (one, many, oneAlone, manyAlone): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
            for _ in 0..<effort.rounds {
                one.append(try rate(Array(inserts.prefix(1))))
                oneAlone.append(try rate(Array(alone.prefix(1))))
                many.append(try rate(inserts))
                manyAlone.append(try rate(alone))
            }
            func median(_ rates: [Double]) -> Double { rates.sorted()[rates.count / 2] }
            let name = "\(Self.hosts) hosts, one under way each"
            return [
                Measurement(
                    name: name, value: median(many), unit: .perSecond, reference: ("one such host", median(one)),
                    goal: .ratioAtLeast(3)),
                Measurement(
                    name: name, value: median(many), unit: .perSecond,
                    reference: ("\(Self.hosts) connections of libpq alone", median(manyAlone))),
                Measurement(
                    name: "\(Self.hosts) connections of libpq alone", value: median(manyAlone), unit: .perSecond,
                    reference: ("one such connection", median(oneAlone))),
            ]
        }

        private typealias Insertion = @Sendable ([RecordArrival]) throws -> Void

        /// Inserts in each way on a thread of its own, one record after the other, and returns the records per second of
        /// all.
        private func rate(_ inserts: [Insertion]) throws -> Double {
            let archive = try BenchQuiz.payload()
            let results = Results()
            let start = ContinuousClock.now
            let deadline = start + .seconds(effort.seconds)
            for insert in inserts {
                Thread.detachNewThread {
                    var count = 0
                    do {
                        while ContinuousClock.now < deadline {
                            try insert(Self.arrivals(1, archive))
                            count += 1
                        }
                    } catch {
                        results.failures.withLock { $0.append("\(error)") }
                    }
                    results.count.withLock { $0 += count }
                    results.end.signal()
                }
            }
            for _ in inserts { results.end.wait() }
            if let failure = results.failures.withLock({ $0.first }) { throw BenchError(failure) }
            return Double(results.count.withLock { $0 }) / ((ContinuousClock.now - start) / .seconds(1))
        }

        private final class Results: Sendable {
            let failures = Mutex<[String]>([])
            let count = Mutex(0)
            let end = DispatchSemaphore(value: 0)
        }
    #endif
}
