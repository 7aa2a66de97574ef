import Synchronization

/// Lists of lists. Counts how many it was asked to make.
struct NestedLists: Decodable {
    /// Handed in to be counted up.
    final class Count: Sendable {
        let value = Atomic(0)
    }

    static let countKey = CodingUserInfoKey(rawValue: "count")

    init(from decoder: any Decoder) throws {
        if let key = Self.countKey { (decoder.userInfo[key] as? Count)?.value.add(1, ordering: .relaxed) }
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { _ = try container.decode(NestedLists.self) }
    }
}
