import LinkProtocol

/// The memory budget of one endpoint for incomplete hellos.
// Proof of `@unchecked Sendable`: all mutable state is confined to turns of the loop, as `EventLoop` asserts.
final class HelloBudget: @unchecked Sendable {
    private let limit: Int
    private var kept: [UInt64: Int] = [:]
    private var total = 0

    init(limit: Int = LinkLimits.ungreetedBytes) { self.limit = limit }

    /// Sets the number of bytes buffered by a connection.
    ///
    /// - Returns: False if the budget is exceeded. The connection is then forgotten here, and must discard the bytes.
    func keep(_ bytes: Int, for connection: UInt64) -> Bool {
        forget(connection)
        guard bytes > 0 else { return true }
        guard total + bytes <= limit else { return false }
        kept[connection] = bytes
        total += bytes
        return true
    }

    func forget(_ connection: UInt64) { total -= kept.removeValue(forKey: connection) ?? 0 }
}
