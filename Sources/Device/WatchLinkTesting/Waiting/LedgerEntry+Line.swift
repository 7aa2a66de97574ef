import LinkProtocol

extension LedgerEntry {
    /// Returns the entry as a line of a report.
    ///
    /// - Parameter name: The name of the device whose ledger it is.
    func line(of name: String) -> String {
        var text = "\(name) \(direction == .outgoing ? "→" : "←") \(kind) \(identifier.uuidString.prefix(8)): \(state)"
        text += ", \(bytes) bytes"
        if attempts > 1 { text += ", \(attempts) attempts" }
        return text + (cause.map { " (\($0))" } ?? "")
    }
}
