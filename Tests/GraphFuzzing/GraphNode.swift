import KeyedArchive

/// An object of a graph. Elements and keys are node numbers.
enum GraphNode {
    /// A plain value that is stored directly in `$objects`.
    case inline(PropertyListValue)
    /// An object of a class, with plain values and references to other nodes under its keys.
    case object(className: String, values: [String: PropertyListValue], references: [String: Int])
    /// A collection that lists its elements, and its keys if it is a dictionary.
    case collection(className: String, form: Form, elements: [Int], keys: [Int])

    /// The form in which a collection lists its elements.
    enum Form {
        /// Lists under `NS.objects` and `NS.keys`.
        case lists
        /// Each element under a separate key, as in ordered sets and old archives.
        case numbered
        /// Each element under a separate key, with its count.
        case counted
    }

    /// The number of references to other nodes.
    var referenceCount: Int {
        switch self {
        case .inline: 0
        case .object(_, _, let references): references.count
        case .collection(_, _, let elements, let keys): elements.count + keys.count
        }
    }

    /// Returns a copy without one element and its key; nil if there is no such element.
    func dropping(_ position: Int) -> GraphNode? {
        guard case .collection(let name, let form, var elements, var keys) = self, position < elements.count else {
            return nil
        }
        elements.remove(at: position)
        if position < keys.count { keys.remove(at: position) }
        return .collection(className: name, form: form, elements: elements, keys: keys)
    }
}
