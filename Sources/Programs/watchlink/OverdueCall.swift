import Configuration

/// A delegate method that has not returned, as a status reports it.
struct OverdueCall {
    private let method: String
    private let seconds: Int

    /// Reads it from a status; nil if there is none.
    init?(_ status: JSONValue) {
        guard let call = status["delegate"], let method = call["method"]?.string else { return nil }
        self.method = method
        seconds = Int(call["seconds"]?.number ?? 0)
    }

    var text: String { "\(method) has not returned for \(seconds) s" }
}
