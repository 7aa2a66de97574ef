import Foundation
import LinkProtocol

/// The latest identifiers of many: the oldest goes when there is no room for another.
struct RecentIdentifiers {
    private let capacity: Int
    private var order = Deque<UUID>()
    private var members: Set<UUID> = []

    init(capacity: Int) { self.capacity = capacity }

    func contains(_ identifier: UUID) -> Bool { members.contains(identifier) }

    mutating func insert(_ identifier: UUID) {
        guard capacity > 0, members.insert(identifier).inserted else { return }
        order.append(identifier)
        guard members.count > capacity, let oldest = order.first else { return }
        members.remove(oldest)
        order.removeFirst()
    }
}
