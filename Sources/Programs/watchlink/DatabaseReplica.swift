import Configuration

/// A replica of a database server, in words.
struct DatabaseReplica {
    /// The bytes of the log that a replica may lack without a finding. 64 MiB: four of the log's files, seconds of work.
    private static let oddBytes = 64 * mebibyte
    private static let mebibyte: Int64 = 1_024 * 1_024
    /// The seconds that a replica may be behind without a finding. 30: as long as a fail-over may then take.
    private static let oddSeconds = 30.0

    private let name: String
    private let state: String
    private let bytes: Int64?
    private let seconds: Double?
    /// True if commits wait for it.
    let isSynchronous: Bool

    init(_ value: JSONValue) {
        name = value["name"]?.string ?? "?"
        state = value["state"]?.string ?? ""
        bytes = value["lagBytes"]?.integer
        seconds = value["lagSeconds"]?.number
        isSynchronous = value["isSynchronous"]?.boolean == true
    }

    /// True if the host's user may see its state.
    var isVisible: Bool { !state.isEmpty }

    /// The state and the distance, in one part of a line.
    var text: String {
        guard isVisible else { return "replica \(name), how far it is behind is not known" }
        let mode = isSynchronous ? "synchronous" : "not synchronous"
        return "replica \(name) \(state), \(mode), \(distance)"
    }

    private var distance: String {
        guard let bytes else { return "how far it is behind is not known" }
        guard bytes > 0 else { return "has everything" }
        let span = seconds.map { " and \(($0 * 1_000).rounded() / 1_000) s" } ?? ""
        let size = bytes < Self.mebibyte ? "\(bytes) bytes" : "\(bytes / Self.mebibyte) MiB"
        return "\(size)\(span) behind"
    }

    /// The reason why an operator should look at it; nil if there is none.
    var trouble: (text: String, advice: String)? {
        guard isVisible else {
            return (
                "how far the replica \(name) is behind is not known: this user may not see it",
                "grant the role pg_monitor to the host's user"
            )
        }
        guard (bytes ?? 0) > Self.oddBytes || ((bytes ?? 0) > 0 && (seconds ?? 0) > Self.oddSeconds) else { return nil }
        return (
            "the replica \(name) is \(distance): a fail-over has to wait for it",
            "look at the replica's load and its connection to the primary"
        )
    }
}
