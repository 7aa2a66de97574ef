import Foundation

/// Writes property-list objects as a binary property list, straight from the objects.
///
/// It adds the same objects in the same order as ``PropertyListWriter`` does for their tree, so that the bytes are the
/// same. Its errors only say that it refuses; see ``PropertyListObjects/data(of:limits:)``.
final class ObjectListWriter {
    /// Of it are used the table, the identities of the written collections with their owners, and the stack: the indices
    /// of the contents of all collections that are being written, the innermost last.
    private let work: ArchiveWorkspace
    private let limits: ArchiveLimits

    static func data(of object: Any, limits: ArchiveLimits) throws(ArchiveError) -> Data {
        let work = ArchiveWorkspace.take()
        defer { work.giveBack() }
        let writer = ObjectListWriter(work: work, limits: limits)
        let top = try writer.add(object, depth: 0)
        return try work.table.encoded(top: top, limits: limits)
    }

    private init(work: ArchiveWorkspace, limits: ArchiveLimits) {
        self.work = work
        self.limits = limits
    }

    private func add(_ object: Any, depth: Int) throws(ArchiveError) -> ObjectTable.Index {
        guard depth <= limits.depth, work.table.size <= limits.bytes, work.table.count < limits.objects else {
            throw Self.refused(object)
        }
        // By exact type, the usual ones first: a cast would also match bridged objects, and takes longer.
        let type = ExactType.of(object)
        if type == String.self { return work.table.add(ExactType.value(object, String.self)) }
        if type == Int.self { return work.table.add(Int64(ExactType.value(object, Int.self))) }
        if type == Double.self { return work.table.add(ExactType.value(object, Double.self)) }
        if type == Bool.self { return work.table.add(ExactType.value(object, Bool.self)) }
        if type == [String: Any].self {
            let entries = ExactType.value(object, [String: Any].self)
            let owner = StorageIdentity.of(entries)
            if let index = written(owner) { return index }
            return keep(try add(entries, depth: depth) { $0 }, owner)
        }
        if type == [Any].self {
            let elements = ExactType.value(object, [Any].self)
            let owner = StorageIdentity.of(elements)
            if let index = written(owner) { return index }
            return keep(try add(elements, depth: depth) { $0 }, owner)
        }
        if type == [[String: Any]].self {
            return try add(ExactType.value(object, [[String: Any]].self), depth: depth) { $0 }
        }
        if type == [String].self { return try add(ExactType.value(object, [String].self), depth: depth) { $0 } }
        if type == [Int].self { return try add(ExactType.value(object, [Int].self), depth: depth) { $0 } }
        if type == [Double].self { return try add(ExactType.value(object, [Double].self), depth: depth) { $0 } }
        if type == [String: String].self {
            return try add(ExactType.value(object, [String: String].self), depth: depth) { $0 }
        }
        if type == [String: Int].self {
            return try add(ExactType.value(object, [String: Int].self), depth: depth) { $0 }
        }
        if type == [String: Double].self {
            return try add(ExactType.value(object, [String: Double].self), depth: depth) { $0 }
        }
        return try addOther(object, depth: depth)
    }

    /// Adds an object of any other type.
    private func addOther(_ object: Any, depth: Int) throws(ArchiveError) -> ObjectTable.Index {
        switch ArchivableValue(object) {
        case .plain(let value): return try add(plain: value)
        case .value(let value), .object(_, let value?):
            // An empty collection is written each time, as in a tree.
            let owner = value.isEmptyCollection ? nil : StorageIdentity.of(any: object)
            if let index = written(owner) { return index }
            return keep(try add(value, object, depth: depth), owner)
        case .object(_, nil), .unsupported: throw Self.refused(object)
        }
    }

    private func add(_ value: FoundationValue, _ object: Any, depth: Int) throws(ArchiveError) -> ObjectTable.Index {
        switch value {
        case .array(let elements, _): return try add(elements, depth: depth) { $0 }
        case .dictionary(let keys, let values, _):
            var pairs: [(key: String, value: Any)] = []
            pairs.reserveCapacity(keys.count)
            for (key, value) in zip(keys, values) {
                // Keys of Foundation that are different may be equal strings of Swift; such ones would be neighbours.
                guard let name = key as? String, name != pairs.last?.key else { throw Self.refused(key) }
                pairs.append((name, value))
            }
            return try add(pairs: pairs, depth: depth)
        case .date(let date):
            guard date.timeIntervalSinceReferenceDate.isFinite else { throw Self.refused(date) }
            return work.table.add(dateWithSeconds: date.timeIntervalSinceReferenceDate)
        case .decimal(let form): return work.table.add(form.double)
        case .mutableString(let string): return work.table.add(string)
        case .mutableData(let data): return work.table.add(data)
        case .set, .countedSet, .orderedSet, .indexSet, .uuid, .url, .null, .geometric: throw Self.refused(object)
        }
    }

    private func add(plain value: PropertyListValue) throws(ArchiveError) -> ObjectTable.Index {
        switch value {
        case .boolean(let value): work.table.add(value)
        case .integer(let value): work.table.add(value)
        case .unsigned(let value): work.table.add(value)
        case .float(let value): work.table.add(value)
        case .real(let value): work.table.add(value)
        case .string(let value): work.table.add(value)
        case .data(let value): work.table.add(value)
        case .null, .date, .uid, .array, .set, .dictionary: throw Self.refused(value)
        }
    }

    // MARK: - Collections

    /// Returns the index of what an owner holds, if it has been written.
    private func written(_ owner: AnyObject?) -> ObjectTable.Index? {
        owner.flatMap { work.identities.number(of: UInt(identity: $0)) }
    }

    private func keep(_ index: ObjectTable.Index, _ owner: AnyObject?) -> ObjectTable.Index {
        if let owner {
            work.identities.insert(UInt(identity: owner), number: index)
            work.retainedObjects.append(owner)
        }
        return index
    }

    /// - Parameter object: Returns an element as it is. Here an `Any` would become the content of another, in memory of the
    ///   heap; the caller knows its type.
    private func add<Element>(
        _ elements: [Element], depth: Int, _ object: (Element) -> Any
    ) throws(ArchiveError) -> ObjectTable.Index {
        let index = work.table.reserve()
        let start = work.stack.count
        for position in elements.indices { work.stack.append(try add(object(elements[position]), depth: depth + 1)) }
        work.table.fill(index, list: work.stack.elements(from: start))
        work.stack.truncate(to: start)
        return index
    }

    /// Sorted: a dictionary's own order differs from run to run, and would leak the hash seed.
    ///
    /// - Parameter object: Returns an element as it is, as for a list.
    private func add<Element>(
        _ entries: [String: Element], depth: Int, _ object: (Element) -> Any
    ) throws(ArchiveError) -> ObjectTable.Index {
        let index = work.table.reserve()
        let start = work.stack.count
        // The keys alone are sorted, mostly without memory of the heap: a value would be copied with each move.
        try withUnsafeTemporaryAllocation(
            of: (key: String, place: Dictionary<String, Element>.Index).self, capacity: entries.count
        ) { buffer throws(ArchiveError) in
            var (order, count) = (buffer, 0)
            defer { buffer[..<count].deinitialize() }
            for place in entries.indices {
                order.initializeElement(at: count, to: (entries.keys[place], place))
                count += 1
            }
            order.sort { $0.key < $1.key }
            for position in order.indices {
                work.stack.append(work.table.add(order[position].key))
                work.stack.append(try add(object(entries.values[order[position].place]), depth: depth + 1))
            }
        }
        work.table.fill(index, pairs: work.stack.elements(from: start))
        work.stack.truncate(to: start)
        return index
    }

    private func add(pairs: [(key: String, value: Any)], depth: Int) throws(ArchiveError) -> ObjectTable.Index {
        let index = work.table.reserve()
        let start = work.stack.count
        for (key, value) in pairs {
            work.stack.append(work.table.add(key))
            work.stack.append(try add(value, depth: depth + 1))
        }
        work.table.fill(index, pairs: work.stack.elements(from: start))
        work.stack.truncate(to: start)
        return index
    }

    private static func refused(_ object: Any) -> ArchiveError {
        ArchiveError(.unsupportedValue, "\(type(of: object))")
    }
}

extension FoundationValue {
    fileprivate var isEmptyCollection: Bool {
        switch self {
        case .array(let elements, _): elements.isEmpty
        case .dictionary(let keys, _, _): keys.isEmpty
        case .set, .countedSet, .orderedSet, .indexSet, .mutableString, .mutableData, .date, .uuid, .url, .null,
            .decimal, .geometric:
            false
        }
    }
}
