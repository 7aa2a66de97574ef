import Foundation

/// A set of identifiers that a world has named.
struct NameSet: Sendable {
    private var members = NameTable<Bool>()
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var all: [UUID] { isEmpty ? [] : members.all.filter(\.1).map(\.0) }

    func contains(_ identifier: UUID) -> Bool { members[identifier] == true }

    /// - Returns: True if it was not a member before.
    @discardableResult
    mutating func insert(_ identifier: UUID) -> Bool {
        guard !contains(identifier) else { return false }
        members[identifier] = true
        count += 1
        return true
    }

    mutating func remove(_ identifier: UUID) {
        guard contains(identifier) else { return }
        members[identifier] = false
        count -= 1
    }
}
