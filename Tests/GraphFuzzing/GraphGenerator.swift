import KeyedArchive

/// Generates the graph of a seed. Values come from a small set, so that equal ones occur.
struct GraphGenerator {
    var random: RandomSource
    /// The nodes that others need, after all others.
    private var helpers: [GraphNode] = []

    private init(seed: UInt64) { random = RandomSource(seed: seed) }

    static func graph(seed: UInt64) -> Graph {
        var generator = GraphGenerator(seed: seed)
        let graph = generator.graph()
        return Graph(nodes: graph.nodes + generator.helpers)
    }

    /// Adds a node after the others and returns its number.
    ///
    /// - Parameter count: The number of all nodes but helpers.
    mutating func helper(_ node: GraphNode, _ count: Int) -> Int {
        helpers.append(node)
        return count + helpers.count - 1
    }

    private mutating func graph() -> Graph {
        switch random.below(12) {
        case 0: ladder(levels: 2 + random.below(40), width: 1 + random.below(4))
        case 1: ladder(levels: 60 + random.below(100), width: 1)
        case 2: equals(count: 2 + random.below(300))
        default: anything(count: 2 + random.below(random.oneIn(10) ? 200 : 24))
        }
    }

    /// Generates nodes that mostly refer to later ones, so that most graphs are finite.
    private mutating func anything(count: Int) -> Graph {
        let (cycles, containers) = (random.oneIn(6), 1 + random.below(4))
        let nodes = (0..<count).map { position in
            if position > 0, position == count - 1 || random.below(5) >= containers { return leaf(position, count) }
            return collection(position, count, cycles: cycles)
        }
        return Graph(nodes: nodes)
    }

    /// Generates levels that each contain the next one several times.
    private mutating func ladder(levels: Int, width: Int) -> Graph {
        let kinds = random.oneIn(2) ? [random.pick(Self.collections)] : Self.collections
        var nodes = (0..<levels).map { level in
            let elements = Array(repeating: level + 1, count: width)
            return collection(random.pick(kinds), elements, keys: elements)
        }
        nodes.append(leaf(levels, levels + 1))
        return Graph(nodes: nodes)
    }

    /// Generates a collection of many values of few kinds: equal ones, and ones with equal hashes.
    private mutating func equals(count: Int) -> Graph {
        let kind = random.below(Self.leafKinds)
        let isMixed = random.oneIn(2)
        var nodes = [collection(random.pick(Self.collections), Array(1...count), keys: Array(1...count))]
        for position in 1...count {
            nodes.append(leaf(position, count + 1, kind: isMixed ? random.below(Self.leafKinds) : kind))
        }
        return Graph(nodes: nodes)
    }

    // MARK: - Nodes

    private static let collections = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSCountedSet", "NSOrderedSet", "NSMutableOrderedSet",
        "NSDictionary", "NSMutableDictionary",
    ]

    private mutating func collection(_ position: Int, _ count: Int, cycles: Bool) -> GraphNode {
        if random.oneIn(12) { return object(position, count) }
        let name = random.pick(Self.collections)
        // Sets contain values and few collections; otherwise nearly all archives would be refused immediately.
        let holdsValues = name.hasSuffix("Set") && !random.oneIn(6)
        let elements = (0..<random.below(random.oneIn(8) ? 24 : 5)).map { _ in
            holdsValues ? value(position, count) : target(position, count, cycles: cycles)
        }
        let keys = elements.map { _ in
            random.oneIn(20) ? target(position, count, cycles: cycles) : value(position, count)
        }
        return collection(name, elements, keys: name.hasSuffix("Dictionary") ? keys : [])
    }

    /// Adds a value, or reuses one.
    private mutating func value(_ position: Int, _ count: Int) -> Int {
        guard !helpers.isEmpty, random.oneIn(3) else {
            let leaf = leaf(position, count)
            return helper(leaf, count)
        }
        return count + random.below(helpers.count)
    }

    private mutating func collection(_ name: String, _ elements: [Int], keys: [Int]) -> GraphNode {
        let isDictionary = name.hasSuffix("Dictionary")
        let form: GraphNode.Form =
            switch name {
            case "NSCountedSet": .counted
            case "NSOrderedSet", "NSMutableOrderedSet": .numbered
            default: !elements.isEmpty && random.oneIn(10) ? .numbered : .lists
            }
        return .collection(className: name, form: form, elements: elements, keys: isDictionary ? keys : [])
    }

    private mutating func target(_ position: Int, _ count: Int, cycles: Bool) -> Int {
        if cycles, random.oneIn(8) { return random.below(count) }
        return min(position + 1 + random.below(random.oneIn(3) ? 3 : count), count - 1)
    }

    /// Generates an object of the client class, of an unknown class, or of a class with attributes.
    private mutating func object(_ position: Int, _ count: Int) -> GraphNode {
        let name = random.pick([FuzzedObject.archiveName, "Theirs", "NSAttributedString", "NSMutableAttributedString"])
        let keys = name.hasSuffix("String") ? ["NSString", "NSAttributes"] : FuzzedObject.keys
        var references: [String: Int] = [:]
        for key in keys { references[key] = target(position, count, cycles: random.oneIn(8)) }
        return .object(className: name, values: ["count": .integer(3)], references: references)
    }
}
