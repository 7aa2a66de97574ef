import Foundation

/// Writes a tree of values as a binary property list, the same bytes for the same values.
struct PropertyListWriter {
    private var table = ObjectTable()
    private let maximumDepth: Int

    init(limits: ArchiveLimits) {
        maximumDepth = limits.depth
    }

    mutating func add(_ value: PropertyListValue, depth: Int = 0) throws(ArchiveError) -> ObjectTable.Index {
        guard depth <= maximumDepth else { throw ArchiveError(.limitExceeded, "nested deeper than \(maximumDepth)") }
        switch value {
        case .null: throw ArchiveError(.unsupportedValue, "null: no other reader of archives accepts it")
        case .boolean(let value): return table.add(value)
        case .integer(let value): return table.add(value)
        case .unsigned(let value): return table.add(value)
        case .float(let value): return table.add(value)
        case .real(let value): return table.add(value)
        case .date(let seconds): return table.add(dateWithSeconds: seconds)
        case .data(let data): return table.add(data)
        case .string(let string): return table.add(string)
        case .uid(let uid): return table.add(uid: uid)
        case .array(let elements): return try add(elements, marker: ObjectMarker.array, depth: depth)
        case .set(let elements): return try add(elements, marker: ObjectMarker.set, depth: depth)
        case .dictionary(let entries):
            let index = table.reserve()
            var pairs: [(key: ObjectTable.Index, value: ObjectTable.Index)] = []
            pairs.reserveCapacity(entries.count)
            // Sorted: a dictionary's own order differs from run to run, and would leak the seed of its hashes.
            for (key, element) in entries.sorted(by: { $0.key < $1.key }) {
                pairs.append((table.add(key), try add(element, depth: depth + 1)))
            }
            table.fill(index, dictionary: pairs)
            return index
        }
    }

    private mutating func add(
        _ elements: [PropertyListValue], marker: UInt8, depth: Int
    ) throws(ArchiveError) -> ObjectTable.Index {
        let index = table.reserve()
        var indices: [ObjectTable.Index] = []
        indices.reserveCapacity(elements.count)
        for element in elements { indices.append(try add(element, depth: depth + 1)) }
        table.fill(index, array: indices, marker: marker)
        return index
    }

    func encoded(top: ObjectTable.Index) -> Data { table.encoded(top: top) }
}
