import Foundation

/// Reads a whole binary property list in one of its forms, each shared object once.
struct PropertyListReader<Form: DecodedForm> {
    private let list: BinaryPropertyList
    private let maximumDepth: Int
    private var decoded: DecodedValues<Form.Value>
    private let budget: DecodingBudget
    /// The last key at each of the first positions: the dictionaries of a list mostly have the same ones.
    private var keys: [(index: Int, text: String)] = []
    /// The maximum number of such positions. 16: records with more fields are rare.
    private static var mostKeys: Int { 16 }
    /// The keys of the latest dictionary, as they are in the file, and their positions; without these until the next one has
    /// the same keys.
    private var latest: (references: UnsafeRawBufferPointer, positions: [String: Int]?)?
    /// The values of the dictionaries that are being read like the one before, the innermost last.
    private var stack: [Form.Value] = []

    static func value(from data: Data, limits: ArchiveLimits) throws(ArchiveError) -> Form.Value {
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

    private mutating func value(at index: Int, depth: Int) throws(ArchiveError) -> Form.Value {
        let object = try list.object(at: index)
        switch object {
        case .null: return Form.null
        case .boolean(let value): return Form.boolean(value)
        case .integer(let value): return Form.integer(value)
        case .unsigned(let value): return Form.unsigned(value)
        case .float(let value): return Form.float(value)
        case .real(let value): return Form.real(value)
        case .date(let seconds): return Form.date(seconds)
        case .uid(let uid): return Form.uid(uid)
        case .data(let range):
            if let known = try known(index, depth: depth) { return known }
            try budget.copy(range.count, offset: range.lowerBound)
            return keep(Form.data(Data(list.bytes.bytes(range))), index)
        case .asciiString(let range), .utf16String(let range):
            if let known = try known(index, depth: depth) { return known }
            try budget.copy(range.count, offset: range.lowerBound)
            return keep(Form.string(try list.string(object) ?? ""), index)
        case .array(let run):
            if let known = try known(index, depth: depth) { return known }
            return keep(Form.array(try elements(run, of: index, depth: depth)), index)
        case .set(let run):
            if let known = try known(index, depth: depth) { return known }
            return keep(Form.set(try elements(run, of: index, depth: depth)), index)
        case .dictionary(let entries):
            if let known = try known(index, depth: depth) { return known }
            return keep(Form.dictionary(try dictionary(entries, of: index, depth: depth)), index)
        }
    }

    /// Returns an object that has been read already.
    private func known(_ index: Int, depth: Int) throws(ArchiveError) -> Form.Value? {
        let offset = try list.offset(of: index)
        if let known = try decoded.known(index, offset: offset) { return known }
        guard depth <= maximumDepth else {
            throw ArchiveError(.limitExceeded, "nested deeper than \(maximumDepth)", offset: offset)
        }
        return nil
    }

    private mutating func keep(_ value: Form.Value, _ index: Int) -> Form.Value {
        decoded.end(index, value, elementCount: 0)
        return value
    }

    private mutating func dictionary(
        _ entries: BinaryPropertyList.Entries, of index: Int, depth: Int
    ) throws(ArchiveError) -> [String: Form.Value] {
        decoded.begin(index)
        let offset = try list.offset(of: index)
        try budget.take(2 * entries.count, each: ArchiveLimits.Nominal.value, offset: offset)
        if let positions = try positions(of: entries, at: offset, depth: depth) {
            return try values(entries, positions, depth: depth)
        }
        var dictionary = [String: Form.Value](minimumCapacity: entries.count)
        for position in 0..<entries.count {
            let key = try key(position, in: entries, at: offset, depth: depth)
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

    /// Returns the positions of a dictionary's keys if they are those of the one before: they are all different then.
    private mutating func positions(
        of entries: BinaryPropertyList.Entries, at offset: Int, depth: Int
    ) throws(ArchiveError) -> [String: Int]? {
        let references = list.keyReferences(of: entries)
        guard let latest, latest.references.equals(references) else {
            self.latest = (references, nil)
            return nil
        }
        if let positions = latest.positions { return positions }
        var positions = [String: Int](minimumCapacity: entries.count)
        for position in 0..<entries.count {
            positions[try key(position, in: entries, at: offset, depth: depth)] = position
        }
        // Equal keys are refused in the usual way.
        guard positions.count == entries.count else { return nil }
        self.latest = (references, positions)
        return positions
    }

    /// Returns a dictionary with the keys of another one: nothing is hashed.
    private mutating func values(
        _ entries: BinaryPropertyList.Entries, _ positions: [String: Int], depth: Int
    ) throws(ArchiveError) -> [String: Form.Value] {
        let start = stack.count
        defer { stack.removeLast(stack.count - start) }
        for position in 0..<entries.count {
            do throws(ArchiveError) {
                stack.append(try value(at: try list.value(position, in: entries), depth: depth + 1))
            } catch {
                throw error.under(positions.first { $0.value == position }?.key ?? "")
            }
        }
        return positions.mapValues { stack[start + $0] }
    }

    private mutating func key(
        _ position: Int, in entries: BinaryPropertyList.Entries, at offset: Int, depth: Int
    ) throws(ArchiveError) -> String {
        let index = try list.key(position, in: entries)
        if position < keys.count, keys[position].index == index { return keys[position].text }
        guard let key = Form.text(of: try value(at: index, depth: depth + 1)) else {
            throw ArchiveError(.typeMismatch, "a dictionary key is not a string", offset: offset)
        }
        if position < keys.count {
            keys[position] = (index, key)
        } else if position == keys.count, position < Self.mostKeys {
            keys.append((index, key))
        }
        return key
    }

    private mutating func elements(
        _ run: BinaryPropertyList.References, of index: Int, depth: Int
    ) throws(ArchiveError) -> [Form.Value] {
        decoded.begin(index)
        try budget.take(run.count, each: ArchiveLimits.Nominal.value, offset: try list.offset(of: index))
        var elements: [Form.Value] = []
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
