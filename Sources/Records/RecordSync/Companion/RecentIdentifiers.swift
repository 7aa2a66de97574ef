import Foundation
import LinkProtocol

/// A bounded set of the latest identifiers: the oldest is removed when the capacity is exceeded.
struct RecentIdentifiers {
    private let capacity: Int
    private var order = Deque<UUID>()
    private var members: Set<IdentifierKey> = []

    init(capacity: Int) { self.capacity = capacity }

    func contains(_ identifier: UUID) -> Bool { members.contains(identifier) }

    mutating func insert(_ identifier: UUID) {
        guard capacity > 0, members.insert(identifier) else { return }
        order.append(identifier)
        guard members.count > capacity, let oldest = order.first else { return }
        members.remove(oldest)
        order.removeFirst()
    }
}
