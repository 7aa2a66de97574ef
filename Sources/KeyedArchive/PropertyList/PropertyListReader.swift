import Foundation

/// Reads a whole binary property list into a tree of values, each shared object once.
struct PropertyListReader {
    private enum Progress {
        case untouched
        case open
        case done(PropertyListValue)
    }

    private let list: BinaryPropertyList
    private let maximumDepth: Int
    private var progress: [Progress]
    /// What bodies may still be read. An honest file never holds more body than bytes; overlapping bodies do.
    private var budget: Int

    static func value(from bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveError) -> PropertyListValue {
        let list = try BinaryPropertyList(bytes, limits: limits)
        var reader = PropertyListReader(list, limits: limits)
        return try reader.value(at: list.topObject, depth: 0)
    }

    init(_ list: BinaryPropertyList, limits: ArchiveLimits) {
        self.list = list
        maximumDepth = limits.depth
        progress = Array(repeating: .untouched, count: list.objectCount)
        budget = list.bytes.count
    }

    mutating func value(at index: Int, depth: Int) throws(ArchiveError) -> PropertyListValue {
        switch progress[index] {
        case .done(let value): return value
        case .open:
            throw ArchiveError(.cycle, "object \(index) contains itself", offset: try list.offset(of: index))
        case .untouched: break
        }
        guard depth <= maximumDepth else {
            throw ArchiveError(
                .limitExceeded, "nested deeper than \(maximumDepth)", offset: try list.offset(of: index))
        }
        progress[index] = .open
        let value = try read(try list.object(at: index), index: index, depth: depth)
        progress[index] = .done(value)
        return value
    }

    private mutating func read(
        _ object: BinaryPropertyList.Object, index: Int, depth: Int
    ) throws(ArchiveError) -> PropertyListValue {
        switch object {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .float(let value): return .float(value)
        case .real(let value): return .real(value)
        case .date(let value): return .date(value)
        case .uid(let value): return .uid(value)
        case .data(let range):
            try spend(range.count, index: index)
            return .data(Data(list.bytes[range]))
        case .asciiString(let range), .utf16String(let range):
            try spend(range.count, index: index)
            return .string(try list.string(object) ?? "")
        case .array(let run): return .array(try elements(run, index: index, depth: depth))
        case .set(let run): return .set(try elements(run, index: index, depth: depth))
        case .dictionary(let keys, let values):
            try spend(2 * keys.count, index: index)
            var entries = [String: PropertyListValue](minimumCapacity: keys.count)
            for position in 0..<keys.count {
                let keyIndex = try list.reference(position, in: keys)
                guard case .string(let key) = try value(at: keyIndex, depth: depth + 1) else {
                    throw ArchiveError(.typeMismatch, "dictionary key is no string", offset: try list.offset(of: index))
                }
                let element = try value(at: try list.reference(position, in: values), depth: depth + 1)
                guard entries.updateValue(element, forKey: key) == nil else {
                    throw ArchiveError(.duplicateKey, "“\(key)”", offset: try list.offset(of: index))
                }
            }
            return .dictionary(entries)
        }
    }

    private mutating func elements(
        _ run: BinaryPropertyList.References, index: Int, depth: Int
    ) throws(ArchiveError) -> [PropertyListValue] {
        try spend(run.count, index: index)
        var elements: [PropertyListValue] = []
        elements.reserveCapacity(run.count)
        for position in 0..<run.count {
            elements.append(try value(at: try list.reference(position, in: run), depth: depth + 1))
        }
        return elements
    }

    private mutating func spend(_ amount: Int, index: Int) throws(ArchiveError) {
        budget -= amount
        guard budget >= 0 else {
            throw ArchiveError(
                .limitExceeded, "objects overlap: their bodies exceed the file", offset: try list.offset(of: index))
        }
    }
}
