import KeyedArchive

/// Shrinks a failing graph as long as it still fails.
struct Shrinker {
    /// Tests whether a graph fails. As failures may depend on the hash seed, this takes several processes.
    private let fails: (Graph) throws -> Bool

    /// The number of graphs that may still be tested. 300: a slow one takes seconds.
    private var triesLeft = 300

    init(fails: @escaping (Graph) throws -> Bool) { self.fails = fails }

    mutating func smallest(of graph: Graph) throws -> Graph {
        var smallest = graph
        while let smaller = try step(smallest) { smallest = smaller }
        return smallest
    }

    private mutating func stillFails(_ graph: Graph) throws -> Bool {
        triesLeft -= 1
        return try triesLeft >= 0 && fails(graph)
    }

    /// Returns a slightly smaller graph that still fails; nil if none is found or the tests are used up.
    private mutating func step(_ graph: Graph) throws -> Graph? {
        for (position, node) in graph.nodes.enumerated() {
            for element in (0..<node.referenceCount).reversed() {
                guard let changed = node.dropping(element) else { continue }
                var smaller = graph
                smaller.nodes[position] = changed
                if try stillFails(smaller) { return smaller }
            }
        }
        // Node numbers do not change: nodes are replaced by an empty text instead of removed.
        var smaller = graph
        for (position, node) in graph.nodes.enumerated() where position > 0 {
            if case .inline(.string("")) = node { continue }
            smaller.nodes[position] = .inline(.string(""))
            if try stillFails(smaller) { return smaller }
            smaller.nodes[position] = node
        }
        return nil
    }
}
