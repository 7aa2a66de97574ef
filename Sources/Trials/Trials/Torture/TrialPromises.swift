import Configuration
import ControlSocket
import DeviceControl
import DeviceEngine
import Foundation
import LinkProtocol
import ServiceRuntime
import SessionStorage
import Storage

/// The items given to two services, and checks of their promises: nothing lost, duplicated or out of order.
struct TrialPromises {
    /// The number of latest transfers whose arrival is checked in databases and ledgers: those of a round, or an hour.
    private static let checkedTransfers = 64
    /// The size in bytes of a file of several chunks.
    private static let fileBytes = 400_000

    private let subject: TrialSubject
    private let state: StateDirectory
    private let file: String
    /// The time within which a promise must be kept.
    private let patience: Duration
    /// The time-out of calls without a promise.
    private let workPatience: Duration
    private let onLine: @Sendable (String) -> Void
    /// The identifiers of the payloads that the companion accepted, in order.
    private(set) var accepted: [String] = []
    private var transfers: [(service: String, identifier: String)] = []
    private var devices: [String: String] = [:]

    /// - Parameters:
    ///   - subject: The payloads.
    ///   - state: The directory of both services.
    ///   - file: The path of the file to send.
    init(
        _ subject: TrialSubject, of state: StateDirectory, file: String, patience: Duration, workPatience: Duration,
        onLine: @escaping @Sendable (String) -> Void
    ) {
        self.subject = subject
        (self.state, self.file, self.patience, self.workPatience) = (state, file, patience, workPatience)
        self.onLine = onLine
    }

    // MARK: - Work

    /// Submits payloads and records the accepted ones. A refused payload is not promised.
    mutating func submit(_ count: Int) {
        var new: [String] = []
        do {
            try subject.requests(count, in: directory) { request in
                for result in attempt("companion", "submit", request)?.array ?? []
                where result["status"]?.string == "accepted" {
                    if let identifier = result["identifier"]?.string { new.append(identifier) }
                }
            }
        } catch {
            onLine("torture | no file to submit can be written: \(error)")
        }
        accepted += new
    }

    private var directory: String { URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false) }

    /// Submits a payload that must be accepted, because nothing is wrong any more.
    mutating func submitAfterTrouble() throws {
        var result: JSONValue?
        try subject.requests(1, in: directory) {
            result = try state.call("companion", "submit", $0, within: patience).array?.first
        }
        guard result?["status"]?.string == "accepted", let identifier = result?["identifier"]?.string else {
            throw TrialFailure(
                "the companion refuses a payload after all faults have ended: \(result?["reason"]?.string ?? "no reason")"
            )
        }
        accepted.append(identifier)
    }

    mutating func sendUserInfo(_ content: String, from service: String) {
        note(service, attempt(service, .send(.userInfo(content), to: nil)))
    }

    mutating func sendContext(from service: String) {
        note(service, attempt(service, .send(.context("\(UUID())"), to: nil)))
    }

    mutating func sendFile(from service: String) {
        // Written once: a transfer fails if its file changes.
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

    /// Returns the answer of a service that may be down, or may refuse; nil then.
    func attempt(
        _ service: String, _ method: String, _ params: JSONValue = .object([:]), within patience: Duration? = nil
    ) -> JSONValue? {
        do throws(ControlClient.Failure) {
            return try state.call(service, method, params, within: patience ?? workPatience)
        } catch {
            onLine("torture | the \(service) did not accept a call: \(error)")
            return nil
        }
    }

    func attempt(_ service: String, _ request: DeviceRequest) -> JSONValue? {
        attempt(service, request.method, request.params)
    }

    /// Returns true if a service runs and answers.
    func isAnswering(_ service: String) -> Bool { attempt(service, "status") != nil }

    // MARK: - Promises

    /// Waits until the latest accepted payloads have ended and no transfer is pending. The services must be running.
    func settle(latest count: Int) throws {
        let companion = try ControlClient(path: state.controlSocket(of: "companion"), timeout: patience)
        for identifier in accepted.suffix(count) {
            let end = try companion.call("wait", subject.question(after: identifier))
            guard end["status"]?.string == "replied" else {
                throw TrialFailure(
                    "payload \(identifier) ended as \(end["status"]?.string ?? "?"): \(end["reason"]?.string ?? "")")
            }
        }
        for service in ["companion", "host"] { try state.awaitTransfers(of: service, within: patience) }
    }

    /// Checks that every accepted payload is stored, once, and in order. The services must be running.
    mutating func checkPayloads() throws {
        var stored: [String: Int] = [:]
        var rows: [String] = []
        var cursor: JSONValue = ""
        while true {
            let answer = try state.call(
                "host", "\(subject.application).list", ["cursor": cursor], within: patience)
            guard let page = answer[subject.application]?.array, let next = answer["next"], next != .null else { break }
            for row in page {
                rows.append(row["identifier"]?.string ?? "")
                stored[rows.last ?? "", default: 0] += 1
            }
            cursor = next
        }
        for identifier in accepted where stored[identifier] != 1 {
            throw TrialFailure("payload \(identifier) was accepted, but is stored \(stored[identifier] ?? 0) times")
        }
        if let twice = stored.first(where: { $0.value > 1 }) {
            throw TrialFailure("payload \(twice.key) is stored \(twice.value) times")
        }
        try checkOrder(rows)
        try checkFiles()
        devices = [:]
        for service in ["host", "companion"] {
            devices[service] = try state.call(service, .status, within: patience)["identifier"]?.string
        }
    }

    /// Checks that each payload's file is stored with it.
    private func checkFiles() throws {
        guard subject.hasFile else { return }
        let problems =
            try state.call("host", "\(subject.application).verify", within: patience)["problems"]?.array ?? []
        guard let first = problems.first?.string else { return }
        throw TrialFailure("\(problems.count) problems of payloads and files, the first: \(first)")
    }

    /// Checks that payloads are stored in the order of acceptance, without exception.
    ///
    /// - Parameter rows: The identifiers in the host's database, in row order. Some may have been accepted by a
    ///   companion that was killed before it could report it.
    private func checkOrder(_ rows: [String]) throws {
        let places = Dictionary(uniqueKeysWithValues: accepted.enumerated().map { ($1, $0) })
        let found = rows.compactMap { places[$0] }
        if let late = zip(found, found.dropFirst()).first(where: { $0 > $1 }) {
            throw TrialFailure(
                "payload \(accepted[late.1]) was accepted before \(accepted[late.0]), but is stored after it")
        }
    }

    /// Checks that queued transfers are recorded as seen by their receivers, and that both ledgers agree.
    func checkArrivals() throws {
        let stores = stores
        defer { for store in stores.values { store.close() } }
        for (service, identifier) in transfers.suffix(Self.checkedTransfers) {
            let receiver = service == "host" ? "companion" : "host"
            // A watch has only one phone.
            let peer = receiver == "host" ? devices["companion"].flatMap(UUID.init(uuidString:)) : .unknownPeer
            guard let transfer = UUID(uuidString: identifier), let peer,
                try stores[receiver]?.hasSeen(transfer, from: peer) == true
            else {
                throw TrialFailure("transfer \(identifier) of the \(service) has not arrived, but none is pending")
            }
            for (side, direction) in [(service, LedgerEntry.Direction.outgoing), (receiver, .incoming)] {
                var query = LedgerQuery()
                query.identifier = transfer
                let entry = try stores[side]?.ledger(query).first { $0.direction == direction }
                let isWaiting =
                    try direction == .incoming && entry?.state == .received
                    && Self.inbox(of: stores[side]).contains(transfer)
                guard entry?.state == .delivered || isWaiting else {
                    let state = entry?.state.rawValue ?? "nothing"
                    throw TrialFailure(
                        "transfer \(identifier) of the \(service) has arrived, but the \(side)'s ledger says \(state)")
                }
            }
        }
        try checkEnds(stores)
    }

    /// Checks that every transfer has ended in the ledgers, including contexts, whose identifiers are not reported.
    private func checkEnds(_ stores: [String: SessionStore]) throws {
        for (service, store) in stores.sorted(by: { $0.key > $1.key }) {
            let waiting = try Self.inbox(of: store)
            let transfers = try store.ledger(LedgerQuery()).filter { entry in
                TransferKind(rawValue: entry.kind)?.isBackground == true
                    && !(entry.state == .received && waiting.contains(entry.identifier))
            }
            if let open = transfers.first(where: { [.queued, .sent, .received].contains($0.state) }) {
                throw TrialFailure(
                    "\(open.direction.rawValue) \(open.kind) \(open.identifier): nothing is pending, but the \(service)'s ledger says \(open.state.rawValue)"
                )
            }
        }
    }

    /// Returns the transfers that have not been delivered to the delegate.
    private static func inbox(of store: SessionStore?) throws -> Set<UUID> {
        Set(try store?.inbox(after: 0, limit: SessionStore.inboxCapacity).map(\.identifier) ?? [])
    }

    /// The stores of both services. Each is opened once: an hour has hundreds of questions.
    private var stores: [String: SessionStore] {
        Dictionary(
            uniqueKeysWithValues: ["host", "companion"].map { ($0, SessionStore(path: state.session(of: $0))) })
    }

    /// Checks the integrity of the databases.
    func checkIntegrity() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: state.path).filter { $0.hasSuffix(".sqlite") }
        for file in files.map(state.path(of:)) {
            let problems = try DatabaseCheck.problems(in: file)
            guard problems.isEmpty else { throw TrialFailure("\(file): \(problems.joined(separator: "; "))") }
        }
    }
}
