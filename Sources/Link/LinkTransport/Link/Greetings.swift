import LinkProtocol

/// What the connections of one endpoint keep together of hellos that are not whole.
// Proof of `@unchecked Sendable`: used in turns of the endpoint's loop only, one at a time, which `EventLoop` asserts.
final class Greetings: @unchecked Sendable {
    private let limit: Int
    private var kept: [UInt64: Int] = [:]
    private var total = 0

    init(limit: Int = LinkLimits.ungreetedBytes) { self.limit = limit }

    /// A connection keeps so many bytes now.
    ///
    /// - Returns: Whether it may. If not it is forgotten here, and must let go of them.
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
