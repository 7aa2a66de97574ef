import KeyedArchive

/// Makes a failing graph smaller, as long as it fails.
struct Shrinker {
    /// Whether a graph fails. Failures may depend on a process's seed of hashes, so that this takes several processes.
    private let fails: (Graph) throws -> Bool

    /// Graphs that may still be tried. 300: a slow one takes seconds.
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

    /// A graph that fails and is a little smaller; nil if there is none, or too much was tried.
    private mutating func step(_ graph: Graph) throws -> Graph? {
        for (position, node) in graph.nodes.enumerated() {
            for element in (0..<node.referenceCount).reversed() {
                guard let changed = node.dropping(element) else { continue }
                var smaller = graph
                smaller.nodes[position] = changed
                if try stillFails(smaller) { return smaller }
            }
        }
        // Numbers of nodes stay what they are: what nobody refers to any more becomes an empty text.
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
