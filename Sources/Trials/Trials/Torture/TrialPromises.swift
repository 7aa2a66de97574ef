import Configuration
import ControlSocket
import DeviceControl
import DeviceEngine
import Foundation
import LinkProtocol
import ServiceRuntime
import SessionStorage
import Storage

/// What two services were given, and whether they kept what they promised: nothing lost, nothing twice, nothing out of order.
struct TrialPromises {
    /// The latest transfers whose arrival is looked for in databases and ledgers. 64: those of a round, or of an hour.
    private static let checkedTransfers = 64
    /// A file of some chunks.
    private static let fileBytes = 400_000

    private let state: StateDirectory
    private let file: String
    /// How long it may take until a promise is kept.
    private let patience: Duration
    /// How long an answer may take that nobody promised.
    private let workPatience: Duration
    private let onLine: @Sendable (String) -> Void
    /// What the companion accepted, in its order.
    private(set) var accepted: [String] = []
    private var transfers: [(service: String, identifier: String)] = []
    private var devices: [String: String] = [:]

    /// - Parameters:
    ///   - state: The directory of both services.
    ///   - file: The path of the file that is sent.
    init(
        of state: StateDirectory, file: String, patience: Duration, workPatience: Duration,
        onLine: @escaping @Sendable (String) -> Void
    ) {
        (self.state, self.file, self.patience, self.workPatience) = (state, file, patience, workPatience)
        self.onLine = onLine
    }

    // MARK: - Work

    /// Hands over quizzes and notes which are accepted. What is refused was not promised.
    mutating func submit(_ count: Int) {
        let quizzes = JSONValue.array((0..<count).map { _ in TrialServices.quiz() })
        for result in attempt("companion", "submit", ["quizzes": quizzes])?.array ?? []
        where result["status"]?.string == "accepted" {
            if let identifier = result["identifier"]?.string { accepted.append(identifier) }
        }
    }

    mutating func sendUserInfo(_ content: String, from service: String) {
        note(service, attempt(service, .send(.userInfo(content), to: nil)))
    }

    mutating func sendContext(from service: String) {
        note(service, attempt(service, .send(.context("\(UUID())"), to: nil)))
    }

    mutating func sendFile(from service: String) {
        // Written once: a file that changes while it is sent cannot arrive.
        let manager = FileManager.default
        guard
            manager.fileExists(atPath: file) || manager.createFile(atPath: file, contents: Data(count: Self.fileBytes))
        else { return onLine("torture | \(file) cannot be written") }
        note(service, attempt(service, .send(.file(path: file), to: nil)))
    }

    private mutating func note(_ service: String, _ answer: JSONValue?) {
        guard let identifier = answer?["identifier"]?.string else { return }
        transfers.append((service, identifier))
    }

    /// The answer of a service that may be gone, or may refuse.
    func attempt(
        _ service: String, _ method: String, _ params: JSONValue = .object([:]), within patience: Duration? = nil
    ) -> JSONValue? {
        do throws(ControlClient.Failure) {
            return try state.call(service, method, params, within: patience ?? workPatience)
        } catch {
            onLine("torture | \(service) did not take it: \(error)")
            return nil
        }
    }

    func attempt(_ service: String, _ request: DeviceRequest) -> JSONValue? {
        attempt(service, request.method, request.params)
    }

    /// False also for a service that runs and does not answer.
    func isAnswering(_ service: String) -> Bool { attempt(service, "status") != nil }

    // MARK: - Promises

    /// Waits until the latest of the accepted quizzes have their end, and no transfer waits. The services run.
    func settle(latest count: Int) throws {
        for identifier in accepted.suffix(count) {
            let end = try state.call("companion", "wait", ["identifier": .string(identifier)], within: patience)
            guard end["status"]?.string == "replied" else {
                throw TrialFailure(
                    "quiz \(identifier) ended as \(end["status"]?.string ?? "?"): \(end["reason"]?.string ?? "")")
            }
        }
        for service in ["companion", "host"] { try state.awaitTransfers(of: service, within: patience) }
    }

    /// Every accepted quiz is stored, once, and in its order. The services run.
    mutating func checkQuizzes() throws {
        var stored: [String: Int] = [:]
        var rows: [String] = []
        var after: Int64 = 0
        while true {
            let page = try state.call("host", "quizzes.list", ["after": .integer(after)], within: patience).array ?? []
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
            devices[service] = try state.call(service, .status, within: patience)["identifier"]?.string
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
    func checkArrivals() throws {
        for (service, identifier) in transfers.suffix(Self.checkedTransfers) {
            let receiver = service == "host" ? "companion" : "host"
            let store = store(of: receiver)
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
        Set(try store(of: service).inbox(after: 0, limit: SessionStore.inboxCapacity).map(\.identifier))
    }

    private func ledger(of service: String, _ query: LedgerQuery) throws -> [LedgerEntry] {
        try store(of: service).ledger(query)
    }

    private func store(of service: String) -> SessionStore { SessionStore(path: state.session(of: service)) }

    /// The databases are whole.
    func checkIntegrity() throws {
        for file in state.databases where FileManager.default.fileExists(atPath: file) {
            let problems = try DatabaseCheck.problems(in: file)
            guard problems.isEmpty else { throw TrialFailure("\(file): \(problems.joined(separator: "; "))") }
        }
    }
}
