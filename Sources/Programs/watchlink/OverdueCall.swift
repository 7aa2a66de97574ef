import Configuration

/// A delegate's method that does not return, as a device or a service says it in its status.
struct OverdueCall {
    private let method: String
    private let seconds: Int

    /// Nil if the status has none.
    init?(_ status: JSONValue) {
        guard let call = status["delegate"], let method = call["method"]?.string else { return nil }
        self.method = method
        seconds = Int(call["seconds"]?.number ?? 0)
    }

    var text: String { "\(method) has not returned for \(seconds) s" }
}
