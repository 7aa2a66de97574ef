import Configuration

/// The result of one document submitted to the companion.
struct SubmitResult {
    let file: String
    let identifier: String?
    let status: String
    let reason: String?

    init(file: String, _ value: JSONValue) {
        self.file = file
        identifier = value["identifier"]?.string
        status = value["status"]?.string ?? "unknown"
        reason = value["reason"]?.string
    }

    /// True if the final result is pending.
    var isOpen: Bool { status == "accepted" && identifier != nil }

    var line: String { "\(identifier ?? file) \(status)\(reason.map { ": \($0)" } ?? "")" }

    var json: JSONValue {
        .object([
            "file": .string(file), "identifier": identifier.map(JSONValue.string) ?? .null,
            "status": .string(status), "reason": reason.map(JSONValue.string) ?? .null,
        ])
    }
}
