extension BinaryPropertyList {
    /// Keys of this length or less cost nothing extra, in bytes. 64: longer than any name that people give to a property.
    private static let longestFreeKey = 64

    /// Throws for a key that is no text.
    func keyText(_ position: Int, in entries: Entries, offset: Int) throws(ArchiveError) -> String {
        guard let key = try string(try object(at: try key(position, in: entries))) else {
            throw ArchiveError(.typeMismatch, "dictionary key is no string", kind: "dictionary", offset: offset)
        }
        return key
    }

    /// Whether the key at a position is this one. Comparing bytes saves making a string of each key that is passed over.
    @inline(__always)
    func isKey(_ key: String, at position: Int, in entries: Entries) throws(ArchiveError) -> Bool {
        let index = try self.key(position, in: entries)
        if let text = try shortText(at: index) { return key.hasBytes(text) }
        let object = try object(at: index)
        guard case .asciiString(let range) = object else {
            return try string(object)?.utf8.elementsEqual(key.utf8) ?? false
        }
        return key.hasBytes(bytes.bytes(range))
    }

    /// The bytes of a string of less than 15 bytes, as most keys are; nil for any other object.
    @inline(__always)
    private func shortText(at index: Int) throws(ArchiveError) -> UnsafeRawBufferPointer? {
        let offset = try offset(of: index)
        let marker = bytes[offset]
        let count = Int(marker & 0x0F)
        guard marker & 0xF0 == ObjectMarker.asciiString, count < Int(ObjectMarker.longCount),
            holds(count, after: offset)
        else { return nil }
        return bytes.bytes((offset + 1)..<(offset + 1 + count))
    }

    /// Counts a long key: keys are read again for each object that has them, and long ones may all be the same bytes.
    @inline(__always)
    func chargeKey(_ object: Object, offset: Int, _ budget: DecodingBudget) throws(ArchiveError) {
        switch object {
        case .asciiString(let range), .utf16String(let range):
            if range.count > Self.longestFreeKey { try budget.visit(range.count, offset: offset) }
        case .null, .boolean, .integer, .unsigned, .float, .real, .date, .data, .uid, .array, .set, .dictionary: break
        }
    }

    /// Checks that a few keys are texts and all different, pair by pair: two readers of one message must not see different
    /// values.
    func checkKeys(of entries: Entries, offset: Int, _ budget: DecodingBudget) throws(ArchiveError) {
        guard try !areShortAndDifferent(entries) else { return }
        for position in 0..<entries.count {
            try chargeKey(try object(at: try key(position, in: entries)), offset: offset, budget)
            let key = try keyText(position, in: entries, offset: offset)
            for earlier in 0..<position where try isKey(key, at: earlier, in: entries) {
                throw ArchiveError(.duplicateKey, "“\(key)”", kind: "dictionary", offset: offset)
            }
        }
    }

    /// Whether a few keys are short ASCII and differ in their marks, as good as all do.
    private func areShortAndDifferent(_ entries: Entries) throws(ArchiveError) -> Bool {
        guard entries.count <= Self.mostMarks else { return false }
        var marks = InlineArray<16, UInt64>(repeating: 0)
        for position in 0..<entries.count {
            guard let text = try shortText(at: try key(position, in: entries)), text.isASCII else { return false }
            let mark = Self.mark(of: text)
            for earlier in 0..<position where marks[earlier] == mark { return false }
            marks[position] = mark
        }
        return true
    }

    private static let mostMarks = 16

    /// The length and the first and last bytes of a short text in one number.
    @inline(__always)
    private static func mark(of text: UnsafeRawBufferPointer) -> UInt64 {
        if text.count >= 8 {
            let last = text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)
            return text.loadUnaligned(as: UInt64.self) &* 31 ^ last << 4 ^ UInt64(text.count)
        }
        var mark = UInt64(text.count)
        for byte in text { mark = mark << 8 | UInt64(byte) }
        return mark
    }
}

extension String {
    /// Whether its UTF-8 is these bytes.
    @inline(__always)
    func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard utf8.count == bytes.count else { return false }
        return utf8.withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).equals(bytes) }
            ?? utf8.elementsEqual(bytes)
    }
}
