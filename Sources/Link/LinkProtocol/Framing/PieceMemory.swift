/// What the packages that have come in part take of an endpoint's memory, over all of its connections.
package final class PieceMemory {
    private let limit: Int
    package private(set) var used = 0

    package init(limit: Int = LinkLimits.endpointPieceBytes) { self.limit = limit }

    /// Whether there is room for so many bytes more; then they are taken.
    func take(_ count: Int) -> Bool {
        guard count <= limit - used else { return false }
        used += count
        return true
    }

    func giveBack(_ count: Int) { used -= count }
}
