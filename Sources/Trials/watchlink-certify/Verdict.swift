import Configuration

/// The outcome of one part of a certification.
struct Verdict: Sendable {
    let name: String
    let promise: String
    /// The failure in its words; nil if the promise was kept.
    let failure: String?
    let seconds: Double

    var line: String {
        let time = seconds < 1 ? "\(Int(seconds * 1_000)) ms" : "\((seconds * 10).rounded() / 10) s"
        let head = "\(failure == nil ? "kept  " : "BROKEN") \(name): \(promise) (\(time))"
        return failure.map { "\(head)\n       \($0)" } ?? head
    }

    var json: JSONValue {
        .object([
            "name": .string(name), "promise": .string(promise), "isKept": .boolean(failure == nil),
            "failure": failure.map(JSONValue.string) ?? .null, "seconds": .number(seconds),
        ])
    }
}
