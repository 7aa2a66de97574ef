import Foundation

extension KeyedArchiver {
    /// The archive of a tree, under the key “root”.
    static func archivedData(
        of tree: PropertyListValue, limits: ArchiveLimits
    ) throws(ArchiveError) -> Data {
        let archiver = KeyedArchiver(requiringSecureCoding: true, limits: limits)
        archiver.encode(tree, forKey: rootKey)
        let data = archiver.encodedData
        if let error = archiver.error as? ArchiveError { throw error }
        return data
    }

    /// Encodes a value as ``KeyedArchiveEncoder`` does, among others.
    ///
    /// - Throws: `EncodingError`; then nothing is encoded under the key.
    public func encodeEncodable<Value: Encodable>(_ value: Value, forKey key: String) throws {
        encode(try KeyedArchiveEncoder().encodeValue(value), forKey: key)
    }

    /// Puts a tree into `$objects`: the reference to it, nil after an error.
    func archive(tree: PropertyListValue) -> Reference? {
        switch tree {
        case .null: return archive(object: NSNull.one)
        case .boolean(let value): return scalar(work.table.add(value))
        case .integer(let value): return scalar(work.table.add(value))
        case .unsigned(let value): return scalar(work.table.add(value))
        case .float(let value): return scalar(work.table.add(value))
        case .real(let value): return scalar(work.table.add(value))
        case .string(let value): return scalar(work.table.add(value))
        case .data(let value): return scalar(work.table.add(value))
        case .date(let seconds):
            guard seconds.isFinite else { return refuse("a date without a time", tree) }
            return write(date: Date(timeIntervalSinceReferenceDate: seconds))
        case .uid: return refuse("a UID is no value of an archive", tree)
        case .array(let elements):
            return write(storage: StorageIdentity.of(elements), as: .array) { archiver in
                archiver.list(elements.count, key: .elements) { archiver.archive(tree: elements[$0]) }
            }
        case .set(let elements):
            // The same memory may be an array's as well.
            return write(storage: nil, as: .set) { archiver in
                archiver.list(elements.count, key: .elements) { archiver.archive(tree: elements[$0]) }
            }
        case .dictionary(let entries):
            return write(storage: StorageIdentity.of(entries), as: .dictionary) { archiver in
                let sorted = entries.sorted { $0.key < $1.key }
                archiver.list(sorted.count, key: .keys) { archiver.scalar(archiver.work.table.add(sorted[$0].key)) }
                archiver.list(sorted.count, key: .elements) { archiver.archive(tree: sorted[$0].value) }
            }
        }
    }

    private func refuse(_ detail: String, _ tree: PropertyListValue) -> Reference? {
        fail(ArchiveError(.unsupportedValue, detail, kind: tree.kind))
        return nil
    }
}
