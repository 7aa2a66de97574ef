extension BinaryPropertyList {
    /// The longest key that is not charged, in bytes. 64: longer than any usual property name.
    private static let longestFreeKey = 64

    /// Returns the text of a key; throws if the key is not text.
    func keyText(_ position: Int, in entries: Entries, offset: Int) throws(ArchiveError) -> String {
        guard let key = try string(try object(at: try key(position, in: entries))) else {
            throw ArchiveError(.typeMismatch, "a dictionary key is not a string", kind: "dictionary", offset: offset)
        }
        return key
    }

    /// A key to search for.
    struct SoughtKey {
        let text: String
        let short: ShortScalar?

        @inline(__always)
        init(_ text: String) {
            self.text = text
            short = ShortScalar(inPlace: text)
        }
    }

    /// Compares the key at a position with a sought key. Comparing bytes avoids a string for each key that does not
    /// match.
    @inline(__always)
    func isKey(_ key: SoughtKey, at position: Int, in entries: Entries) throws(ArchiveError) -> Bool {
        let index = try self.key(position, in: entries)
        if let wanted = key.short {
            let window = try window(at: index)
            // A different short text is a different key; an object that is not a short text may be the same key in
            // another form.
            if wanted.starts(window) { return true }
            if ShortScalar.isShortText(UInt8(truncatingIfNeeded: window.low)) { return false }
        }
        return try isKey(key.text, at: index)
    }

    /// Returns the first sixteen bytes of an object: the offset table and the trailer follow the objects, so that as
    /// many always exist. Zeros if the object is a short text that runs into the offset table.
    @inline(__always)
    private func window(at index: Int) throws(ArchiveError) -> (low: UInt64, high: UInt64) {
        let offset = try offset(of: index)
        guard holds(Int(bytes[offset] & 0x0F), after: offset) else { return (0, 0) }
        return bytes.window(at: offset)
    }

    @inline(never)
    private func isKey(_ key: String, at index: Int) throws(ArchiveError) -> Bool {
        let object = try object(at: index)
        guard case .asciiString(let range) = object else {
            return try string(object)?.utf8.elementsEqual(key.utf8) ?? false
        }
        return key.hasBytes(bytes.bytes(range))
    }

    /// Charges for a long key: keys are read again for each object, and many objects may share the bytes of one long
    /// key.
    @inline(__always)
    func chargeKey(_ object: Object, offset: Int, _ budget: DecodingBudget) throws(ArchiveError) {
        switch object {
        case .asciiString(let range), .utf16String(let range):
            if range.count > Self.longestFreeKey { try budget.visit(range.count, offset: offset) }
        case .null, .boolean, .integer, .unsigned, .float, .real, .date, .data, .uid, .array, .set, .dictionary: break
        }
    }

    /// Checks pair by pair that a few keys are texts and all different: two readers of one message must not see
    /// different values.
    func checkKeys(of entries: Entries, offset: Int, _ budget: DecodingBudget) throws(ArchiveError) {
        guard try !arePlainAndDifferent(entries) else { return }
        for position in 0..<entries.count {
            try chargeKey(try object(at: try key(position, in: entries)), offset: offset, budget)
            let key = try keyText(position, in: entries, offset: offset)
            let sought = SoughtKey(key)
            for earlier in 0..<position where try isKey(sought, at: earlier, in: entries) {
                throw ArchiveError(.duplicateKey, "“\(key)”", kind: "dictionary", offset: offset)
            }
        }
    }

    /// True if a few keys are short enough ASCII texts and all different, as nearly all are.
    private func arePlainAndDifferent(_ entries: Entries) throws(ArchiveError) -> Bool {
        guard entries.count <= ArchiveRecord.longestScanned else { return false }
        return try withUnsafeTemporaryAllocation(of: ShortScalar.self, capacity: ArchiveRecord.longestScanned) {
            keys throws(ArchiveError) in
            for position in 0..<entries.count {
                let index = try key(position, in: entries)
                if let key = ShortScalar(textAt: try window(at: index)) {
                    for earlier in 0..<position where keys[earlier] == key { return false }
                    keys[position] = key
                } else {
                    guard let key = try longKey(at: index) else { return false }
                    for earlier in 0..<position where keys[earlier] == Self.longKeyMark {
                        guard let other = try longKey(at: try self.key(earlier, in: entries)), !other.equals(key) else {
                            return false
                        }
                    }
                    keys[position] = Self.longKeyMark
                }
            }
            return true
        }
    }

    /// The placeholder for a longer text among the short ones: it equals no text.
    private static let longKeyMark = ShortScalar(marker: ObjectMarker.null)

    /// Returns the bytes of an ASCII key that is longer than a short one but not charged; nil for other keys.
    private func longKey(at index: Int) throws(ArchiveError) -> UnsafeRawBufferPointer? {
        guard case .asciiString(let range) = try object(at: index), range.count > ShortScalar.longestText,
            range.count <= Self.longestFreeKey
        else { return nil }
        let text = bytes.bytes(range)
        return text.isASCII ? text : nil
    }
}

extension String {
    /// Compares the UTF-8 of the string with bytes.
    @inline(__always)
    func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard utf8.count == bytes.count else { return false }
        return utf8.withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).equals(bytes) }
            ?? utf8.elementsEqual(bytes)
    }
}
