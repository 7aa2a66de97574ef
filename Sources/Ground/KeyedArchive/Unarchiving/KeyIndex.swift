/// A table of the positions of a large object's keys, by their text.
final class KeyIndex {
    private let hasher = ByteHash()
    private let positions = HashIndex(capacity: 64)

    /// - Throws: ``ArchiveError`` for a duplicate key, or one that is not text.
    init(
        _ entries: BinaryPropertyList.Entries, of list: BinaryPropertyList, offset: Int, _ budget: DecodingBudget
    ) throws(ArchiveError) {
        try budget.take(entries.count, each: ArchiveLimits.Nominal.object, offset: offset)
        for position in 0..<entries.count {
            try list.chargeKey(try list.object(at: try list.key(position, in: entries)), offset: offset, budget)
            let key = try list.keyText(position, in: entries, offset: offset)
            guard try self.position(of: key, in: entries, of: list, offset: offset) == nil else {
                throw ArchiveError(.duplicateKey, "“\(key)”", offset: offset)
            }
            positions.insert(UInt32(position), hash: hash(key))
        }
    }

    func position(
        of key: String, in entries: BinaryPropertyList.Entries, of list: BinaryPropertyList, offset: Int
    ) throws(ArchiveError) -> Int? {
        let position = try positions.find(hash(key)) { other throws(ArchiveError) in
            try list.keyText(Int(other), in: entries, offset: offset).utf8.elementsEqual(key.utf8)
        }
        return position.map(Int.init)
    }

    private func hash(_ key: String) -> UInt64 {
        var key = key
        return key.withUTF8 { hasher.hash(UnsafeRawBufferPointer($0)) }
    }
}
