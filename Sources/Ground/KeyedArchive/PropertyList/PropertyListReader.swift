import Foundation

/// Reads a whole binary property list into a tree of values, each shared object once.
struct PropertyListReader {
    private let list: BinaryPropertyList
    private let maximumDepth: Int
    private var decoded: DecodedValues
    private let budget: DecodingBudget

    static func value(from data: Data, limits: ArchiveLimits) throws(ArchiveError) -> PropertyListValue {
        try data.withArchiveBytes { buffer throws(ArchiveError) in
            let list = try BinaryPropertyList(buffer, limits: limits)
            var reader = PropertyListReader(list, limits: limits)
            return try reader.value(at: list.topObject, depth: 0)
        }
    }

    private init(_ list: BinaryPropertyList, limits: ArchiveLimits) {
        self.list = list
        maximumDepth = limits.depth
        decoded = DecodedValues(count: list.objectCount)
        budget = DecodingBudget(archiveBytes: list.bytes.count, limits: limits)
    }

    private mutating func value(at index: Int, depth: Int) throws(ArchiveError) -> PropertyListValue {
        let object = try list.object(at: index)
        if let scalar = PropertyListValue(scalar: object) { return scalar }
        let offset = try list.offset(of: index)
        if let known = try decoded.known(index, offset: offset) { return known }
        guard depth <= maximumDepth else {
            throw ArchiveError(.limitExceeded, "nested deeper than \(maximumDepth)", offset: offset)
        }
        let value: PropertyListValue
        switch object {
        case .data, .asciiString, .utf16String:
            value = try list.body(of: object, budget)
        case .array(let run):
            decoded.begin(index)
            value = .array(try elements(run, at: offset, depth: depth))
        case .set(let run):
            decoded.begin(index)
            value = .set(try elements(run, at: offset, depth: depth))
        case .dictionary(let entries):
            decoded.begin(index)
            value = .dictionary(try dictionary(entries, at: offset, depth: depth))
        case .null, .boolean, .integer, .unsigned, .float, .real, .date, .uid: value = .null
        }
        decoded.end(index, value, elementCount: 0)
        return value
    }

    private mutating func dictionary(
        _ entries: BinaryPropertyList.Entries, at offset: Int, depth: Int
    ) throws(ArchiveError) -> [String: PropertyListValue] {
        try budget.take(2 * entries.count, each: ArchiveLimits.Nominal.value, offset: offset)
        var dictionary = [String: PropertyListValue](minimumCapacity: entries.count)
        for position in 0..<entries.count {
            guard case .string(let key) = try value(at: try list.key(position, in: entries), depth: depth + 1) else {
                throw ArchiveError(.typeMismatch, "a dictionary key is not a string", offset: offset)
            }
            do throws(ArchiveError) {
                let element = try value(at: try list.value(position, in: entries), depth: depth + 1)
                guard dictionary.updateValue(element, forKey: key) == nil else {
                    throw ArchiveError(.duplicateKey, "“\(key)”", offset: offset)
                }
            } catch {
                throw error.under(key)
            }
        }
        return dictionary
    }

    private mutating func elements(
        _ run: BinaryPropertyList.References, at offset: Int, depth: Int
    ) throws(ArchiveError) -> [PropertyListValue] {
        try budget.take(run.count, each: ArchiveLimits.Nominal.value, offset: offset)
        var elements: [PropertyListValue] = []
        elements.reserveCapacity(run.count)
        for position in 0..<run.count {
            do throws(ArchiveError) {
                elements.append(try value(at: try list.reference(position, in: run), depth: depth + 1))
            } catch {
                throw error.under("[\(position)]")
            }
        }
        return elements
    }
}
