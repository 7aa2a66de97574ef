import KeyedArchive

/// The objects of a keyed archive.
struct KeyedGraph {
    let top: [String: PropertyListValue]
    private let objects: [PropertyListValue]

    /// - Returns: Nil for a property list that is no keyed archive.
    init?(_ value: PropertyListValue) {
        guard case .string("NSKeyedArchiver") = value["$archiver"], case .array(let objects) = value["$objects"],
            case .dictionary(let top) = value["$top"]
        else { return nil }
        (self.objects, self.top) = (objects, top)
    }

    /// Returns an object; nil for none, as the first of all objects stands for it.
    subscript(_ number: UInt32) -> PropertyListValue? {
        number > 0 && objects.indices.contains(Int(number)) ? objects[Int(number)] : nil
    }

    /// Returns the value itself, or the object that it refers to.
    func target(_ value: PropertyListValue?) -> PropertyListValue? {
        guard case .uid(let number) = value else { return value }
        return self[number]
    }

    /// Returns true for a reference to a number or truth value.
    func isNumberObject(_ value: PropertyListValue) -> Bool {
        guard case .uid(let number) = value else { return false }
        return switch self[number] {
        case .boolean, .integer, .unsigned, .float, .real: true
        case nil, .null, .date, .data, .string, .uid, .array, .set, .dictionary: false
        }
    }

    /// Returns the class name of an object's entries.
    func className(_ entries: [String: PropertyListValue]) -> String? {
        guard case .string(let name) = target(entries["$class"])?["$classname"] else { return nil }
        return name
    }
}
