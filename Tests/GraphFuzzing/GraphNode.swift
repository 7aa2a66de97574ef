import KeyedArchive

/// One object of a graph. Elements and keys are numbers of nodes.
enum GraphNode {
    /// A plain value that stands in `$objects` as it is.
    case inline(PropertyListValue)
    /// An object of a class, with plain values and references to other nodes under its keys.
    case object(className: String, values: [String: PropertyListValue], references: [String: Int])
    /// A collection that lists its elements, and its keys if it is a dictionary.
    case collection(className: String, form: Form, elements: [Int], keys: [Int])

    /// How a collection lists what it holds.
    enum Form {
        /// Under `NS.objects` and `NS.keys`.
        case lists
        /// Each element under a key of its own, as ordered sets and old archives have it.
        case numbered
        /// Each element under a key of its own, with its count.
        case counted
    }

    /// How many nodes it refers to.
    var referenceCount: Int {
        switch self {
        case .inline: 0
        case .object(_, _, let references): references.count
        case .collection(_, _, let elements, let keys): elements.count + keys.count
        }
    }

    /// The same without one element, and without its key.
    func dropping(_ position: Int) -> GraphNode? {
        guard case .collection(let name, let form, var elements, var keys) = self, position < elements.count else {
            return nil
        }
        elements.remove(at: position)
        if position < keys.count { keys.remove(at: position) }
        return .collection(className: name, form: form, elements: elements, keys: keys)
    }
}
