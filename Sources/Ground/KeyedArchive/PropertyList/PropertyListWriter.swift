import Foundation

/// Writes a tree of values as a binary property list; equal values have equal bytes.
struct PropertyListWriter: ~Copyable {
    private let table = ObjectTable()
    private let limits: ArchiveLimits
    /// The written collections by their storage: a shared collection is written once, however often the tree refers to
    /// it.
    private let arrays = IdentityTable()
    private let sets = IdentityTable()
    private let dictionaries = IdentityTable()

    static func data(of value: PropertyListValue, limits: ArchiveLimits) throws(ArchiveError) -> Data {
        var writer = PropertyListWriter(limits: limits)
        let top = try writer.add(value, depth: 0)
        return try writer.table.encoded(top: top, limits: limits)
    }

    private init(limits: ArchiveLimits) { self.limits = limits }

    private mutating func add(_ value: PropertyListValue, depth: Int) throws(ArchiveError) -> ObjectTable.Index {
        guard depth <= limits.depth else {
            throw ArchiveError(.limitExceeded, "nested deeper than \(limits.depth)")
        }
        // Ends a hopeless case early; the exact sizes are known, and checked, at the end.
        guard table.size <= limits.bytes, table.count < limits.objects else {
            throw ArchiveError(.limitExceeded, "more than \(limits.bytes) bytes or \(limits.objects) objects")
        }
        switch value {
        case .null: throw ArchiveError(.unsupportedValue, "null: other readers of property lists refuse it")
        case .boolean(let value): return table.add(value)
        case .integer(let value): return table.add(value)
        case .unsigned(let value): return table.add(value)
        case .float(let value): return table.add(value)
        case .real(let value): return table.add(value)
        case .date(let seconds): return table.add(dateWithSeconds: seconds)
        case .data(let data): return table.add(data)
        case .string(let string): return table.add(string)
        case .uid(let uid): return table.add(uid: uid)
        case .array(let elements):
            let identity = StorageIdentity.of(elements).map { UInt(identity: $0) }
            if let identity, let known = arrays.number(of: identity) { return known }
            let index = try add(elements, kind: .array, depth: depth)
            if let identity { arrays.insert(identity, number: index) }
            return index
        case .set(let elements):
            let identity = StorageIdentity.of(elements).map { UInt(identity: $0) }
            if let identity, let known = sets.number(of: identity) { return known }
            let index = try add(elements, kind: .set, depth: depth)
            if let identity { sets.insert(identity, number: index) }
            return index
        case .dictionary(let entries):
            let identity = StorageIdentity.of(entries).map { UInt(identity: $0) }
            if let identity, let known = dictionaries.number(of: identity) { return known }
            let index = table.reserve()
            var pairs: [ObjectTable.Index] = []
            pairs.reserveCapacity(2 * entries.count)
            // Sorted: a dictionary's own order differs from run to run, and would leak the hash seed.
            for (key, element) in entries.sorted(by: { $0.key < $1.key }) {
                pairs.append(table.add(key))
                do throws(ArchiveError) {
                    pairs.append(try add(element, depth: depth + 1))
                } catch {
                    throw error.under(key)
                }
            }
            pairs.withUnsafeBufferPointer { table.fill(index, pairs: $0) }
            if let identity { dictionaries.insert(identity, number: index) }
            return index
        }
    }

    private mutating func add(
        _ elements: [PropertyListValue], kind: ObjectTable.Container.Kind, depth: Int
    ) throws(ArchiveError) -> ObjectTable.Index {
        let index = table.reserve()
        var indices: [ObjectTable.Index] = []
        indices.reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            do throws(ArchiveError) {
                indices.append(try add(element, depth: depth + 1))
            } catch {
                throw error.under("[\(position)]")
            }
        }
        indices.withUnsafeBufferPointer { table.fill(index, list: $0, kind: kind) }
        return index
    }
}
