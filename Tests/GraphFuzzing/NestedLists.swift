/// Nested lists without other contents.
struct NestedLists: Decodable {
    let lists: [NestedLists]

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var lists: [NestedLists] = []
        while !container.isAtEnd { lists.append(try container.decode(NestedLists.self)) }
        self.lists = lists
    }
}
