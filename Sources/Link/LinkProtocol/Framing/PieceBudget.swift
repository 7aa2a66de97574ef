/// The memory budget of an endpoint for incomplete packages, over all its connections.
package final class PieceBudget {
    private let limit: Int
    package private(set) var used = 0

    package init(limit: Int = LinkLimits.endpointPieceBytes) { self.limit = limit }

    /// Reserves bytes and returns true if they are available.
    func take(_ count: Int) -> Bool {
        guard count <= limit - used else { return false }
        used += count
        return true
    }

    func giveBack(_ count: Int) { used -= count }
}
