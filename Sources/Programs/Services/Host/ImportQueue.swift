import Configuration
import ControlSocket
import Dispatch
import Locking
import RecordSync

/// The requests of imports that are decoded and not stored yet, in their order. All that wait are stored together.
final class ImportQueue: Sendable {
    /// A request, and its answer.
    struct Part: Sendable {
        /// The import that the request is a part of; nil if it is one of its own.
        let name: String?
        let arrivals: Result<[RecordArrival], any Error>
        let files: JSONValue?
        let respond: ControlServer.Respond

        var records: Int { if case .success(let arrivals) = arrivals { arrivals.count } else { 0 } }
    }

    /// The most records that are stored together, unless one request has more. 16,000: identifiers are random, so that a commit of
    /// few records writes nearly as many pages of their index as one of many. A record that arrives waits a quarter of a second for it.
    static let records = 16_000

    private struct State {
        var parts: [Part] = []
        /// The import that failed last: its later requests must not be stored.
        var failed: String?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "watchlink.import")

    /// Adds a request.
    ///
    /// - Parameter store: Stores requests that wait, at least one, and answers them; called on a serial queue.
    func add(_ part: Part, _ store: @escaping @Sendable ([Part]) -> Void) {
        state.withLock { $0.parts.append(part) }
        queue.async { [self] in
            let parts = take()
            if !parts.isEmpty { store(parts) }
        }
    }

    private func take() -> [Part] {
        state.withLock { state in
            var records = 0
            let end = state.parts.firstIndex { part in
                records += part.records
                return records > Self.records
            }
            let count = max(1, end ?? state.parts.count)
            defer { state.parts.removeFirst(min(count, state.parts.count)) }
            return Array(state.parts.prefix(count))
        }
    }

    func hasFailed(_ name: String?) -> Bool { name != nil && state.withLock { $0.failed == name } }

    /// Answers a request that fails, after which the later ones of its import fail as well.
    func fail(_ part: Part, with answer: Result<JSONValue, ControlError>) {
        if let name = part.name { state.withLock { $0.failed = name } }
        part.respond(answer)
    }
}
