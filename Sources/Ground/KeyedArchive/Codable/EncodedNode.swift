/// A container that is being filled. Containers within it may still be filled after it is complete itself.
final class EncodedNode {
    private enum Content {
        case nothing
        case single(PropertyListValue)
        case unkeyed([Element])
        case keyed([String: Element])
    }

    private enum Element {
        case value(PropertyListValue)
        case node(EncodedNode)

        var value: PropertyListValue {
            switch self {
            case .value(let value): value
            case .node(let node): node.value ?? .dictionary([:])
            }
        }
    }

    private var content = Content.nothing

    /// The encoded value; nil if nothing was encoded.
    var value: PropertyListValue? {
        switch content {
        case .nothing: nil
        case .single(let value): value
        case .unkeyed(let elements): .array(elements.map(\.value))
        case .keyed(let entries): .dictionary(entries.mapValues(\.value))
        }
    }

    /// True if it, or a container within it, was filled as containers of two different kinds.
    var isContradictory: Bool { isFilledTwice || nodes.contains(where: \.isContradictory) }

    private var isFilledTwice = false
    /// The containers within it that may still be filled.
    private var nodes: [EncodedNode] = []

    /// The number of elements of an unkeyed container; zero for other containers.
    var count: Int {
        if case .unkeyed(let elements) = content { elements.count } else { 0 }
    }

    func set(_ value: PropertyListValue) {
        if case .nothing = content { content = .single(value) } else { isFilledTwice = true }
    }

    func becomeKeyed() {
        switch content {
        case .nothing: content = .keyed([:])
        case .keyed: break
        case .single, .unkeyed: isFilledTwice = true
        }
    }

    func becomeUnkeyed() {
        switch content {
        case .nothing: content = .unkeyed([])
        case .unkeyed: break
        case .single, .keyed: isFilledTwice = true
        }
    }

    func set(_ value: PropertyListValue, forKey key: String) { set(.value(value), forKey: key) }

    func node(forKey key: String) -> EncodedNode {
        // The same container may be requested again.
        if case .keyed(let entries) = content, case .node(let known) = entries[key] { return known }
        let node = EncodedNode()
        nodes.append(node)
        set(.node(node), forKey: key)
        return node
    }

    private func set(_ element: Element, forKey key: String) {
        guard case .keyed(var entries) = content else { return }
        // Release the other reference first: changing a shared dictionary would copy it each time.
        content = .nothing
        entries[key] = element
        content = .keyed(entries)
    }

    func append(_ value: PropertyListValue) { append(.value(value)) }

    func appendNode() -> EncodedNode {
        let node = EncodedNode()
        nodes.append(node)
        append(.node(node))
        return node
    }

    private func append(_ element: Element) {
        guard case .unkeyed(var elements) = content else { return }
        content = .nothing
        elements.append(element)
        content = .unkeyed(elements)
    }
}
