import Synchronization

/// Nested lists. Counts the lists that were created.
struct NestedLists: Decodable {
    /// The counter, passed as user information.
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
