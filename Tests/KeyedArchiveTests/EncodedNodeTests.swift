import Testing

@testable import KeyedArchive

/// Tests of containers that are filled in any order.
@Suite("Containers that are being filled")
struct EncodedNodeTests {
    enum Kind: CaseIterable {
        case single, keyed, unkeyed

        fileprivate func request(of node: EncodedNode) {
            switch self {
            case .single: node.set(.integer(1))
            case .keyed: node.becomeKeyed()
            case .unkeyed: node.becomeUnkeyed()
            }
        }

        fileprivate var empty: PropertyListValue {
            switch self {
            case .single: .integer(1)
            case .keyed: .dictionary([:])
            case .unkeyed: .array([])
            }
        }
    }

    /// A value that requests containers of two kinds, and fills both.
    private struct Pair: Encodable {
        let kinds: [Kind]

        func encode(to encoder: any Encoder) throws {
            for kind in kinds {
                switch kind {
                case .single:
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                case .keyed:
                    var container = encoder.container(keyedBy: IndexKey.self)
                    try container.encode(2, forKey: IndexKey(0))
                case .unkeyed:
                    var container = encoder.unkeyedContainer()
                    try container.encode(3)
                }
            }
        }
    }

    private struct Failing: Encodable {
        struct Refused: Error {}

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            throw Refused()
        }
    }

    @Test("A container of any kind is not contradictory when it was requested once", arguments: Kind.allCases)
    func once(_ kind: Kind) {
        let node = EncodedNode()
        let before = node.value
        #expect(before == nil)
        #expect(!node.isContradictory)
        kind.request(of: node)
        let value = node.value
        #expect(value == kind.empty)
        #expect(!node.isContradictory)
    }

    @Test(
        "A second request of the same keyed or unkeyed kind is allowed, any other is contradictory and changes nothing",
        arguments: Kind.allCases, Kind.allCases)
    func twice(_ first: Kind, _ second: Kind) {
        let node = EncodedNode()
        first.request(of: node)
        second.request(of: node)
        let isAllowed = first == second && first != .single
        #expect(node.isContradictory == !isAllowed)
        let value = node.value
        #expect(value == first.empty)
    }

    @Test("A contradiction stays, whatever is requested afterwards", arguments: Kind.allCases)
    func lasting(_ third: Kind) {
        let node = EncodedNode()
        node.becomeUnkeyed()
        node.becomeKeyed()
        third.request(of: node)
        #expect(node.isContradictory)
    }

    @Test(
        "A value that requests containers of two kinds is refused in either order", arguments: Kind.allCases,
        Kind.allCases)
    func encoded(_ first: Kind, _ second: Kind) throws {
        let encoder = KeyedArchiveEncoder()
        let value = Pair(kinds: [first, second])
        if first == second && first != .single {
            let came = try encoder.encodeValue(value)
            let expected: PropertyListValue =
                first == .keyed ? .dictionary(["Index 0": .integer(2)]) : .array([.integer(3), .integer(3)])
            #expect(came == expected)
        } else {
            #expect(throws: EncodingError.self) { try encoder.encodeValue(value) }
        }
    }

    /// A value that requests one container within it as two kinds.
    private struct Outer: Encodable {
        let isKeyed: Bool

        func encode(to encoder: any Encoder) throws {
            if isKeyed {
                var container = encoder.container(keyedBy: IndexKey.self)
                _ = container.nestedContainer(keyedBy: IndexKey.self, forKey: IndexKey(0))
                var second = container.nestedUnkeyedContainer(forKey: IndexKey(0))
                try second.encode(1)
            } else {
                var container = encoder.unkeyedContainer()
                let inner = container.superEncoder()
                var first = inner.singleValueContainer()
                try first.encode(1)
                var second = inner.container(keyedBy: IndexKey.self)
                try second.encode(2, forKey: IndexKey(0))
            }
        }
    }

    @Test("A value that requests one inner container as two kinds is refused", arguments: [true, false])
    func inner(_ isKeyed: Bool) {
        let encoder = KeyedArchiveEncoder()
        #expect(throws: EncodingError.self) { try encoder.encodeValue(Outer(isKeyed: isKeyed)) }
        #expect(throws: EncodingError.self) { try encoder.encodeValue([Outer(isKeyed: isKeyed)]) }
    }

    @Test("An error of a value that was partly encoded is passed on")
    func failing() {
        let encoder = KeyedArchiveEncoder()
        #expect(throws: Failing.Refused.self) { try encoder.encodeValue(Failing()) }
    }

    @Test("Elements and containers of an unkeyed container keep their order, and are counted")
    func elements() {
        let node = EncodedNode()
        #expect(node.count == 0)
        node.becomeUnkeyed()
        #expect(node.count == 0)
        node.append(.integer(1))
        let inner = node.appendNode()
        node.append(.integer(3))
        #expect(node.count == 3)
        // It may be filled later.
        inner.becomeKeyed()
        inner.set(.integer(2), forKey: "k")
        let value = node.value
        #expect(value == .array([.integer(1), .dictionary(["k": .integer(2)]), .integer(3)]))
    }

    @Test("The container under a key is the same when it is requested again, a value under the key replaces it")
    func keys() {
        let node = EncodedNode()
        node.becomeKeyed()
        let (first, second) = (node.node(forKey: "k"), node.node(forKey: "k"))
        #expect(first === second)
        let other = node.node(forKey: "l")
        #expect(first !== other)
        // A container that was not filled is an empty dictionary.
        let empty = node.value
        #expect(empty == .dictionary(["k": .dictionary([:]), "l": .dictionary([:])]))
        node.set(.integer(5), forKey: "k")
        let replaced = node.value
        #expect(replaced == .dictionary(["k": .integer(5), "l": .dictionary([:])]))
        #expect(node.count == 0)
        let third = node.node(forKey: "k")
        #expect(first !== third)
    }

    @Test("A container takes no elements of another kind")
    func others() {
        let keyed = EncodedNode()
        keyed.becomeKeyed()
        keyed.append(.integer(1))
        let keyedValue = keyed.value
        #expect(keyedValue == .dictionary([:]))
        let unkeyed = EncodedNode()
        unkeyed.becomeUnkeyed()
        unkeyed.set(.integer(1), forKey: "k")
        let unkeyedValue = unkeyed.value
        #expect(unkeyedValue == .array([]))
    }
}
