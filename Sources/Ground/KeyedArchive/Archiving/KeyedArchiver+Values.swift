import Foundation

extension KeyedArchiver {
    /// Archives a tree under the key “root”.
    static func archivedData(
        of tree: PropertyListValue, limits: ArchiveLimits
    ) throws(ArchiveError) -> Data {
        let archiver = KeyedArchiver(requiringSecureCoding: true, limits: limits)
        archiver.encode(tree, forKey: rootKey)
        let data = archiver.encodedData
        if let error = archiver.error as? ArchiveError { throw error }
        return data
    }

    /// Encodes a value as ``KeyedArchiveEncoder`` does, next to other values.
    ///
    /// - Throws: `EncodingError`, or ``ArchiveError`` for a value that is too deep; then nothing is encoded under the
    ///   key.
    public func encodeEncodable<Value: Encodable>(_ value: Value, forKey key: String) throws {
        encode(try KeyedArchiveEncoder().encodeValue(value), forKey: key)
    }

    /// Adds a tree to `$objects` and returns the reference to it; nil after an error.
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
            guard seconds.isFinite else { return refuse("a date that is not finite", tree) }
            return write(date: Date(timeIntervalSinceReferenceDate: seconds))
        case .uid: return refuse("an archive cannot contain a UID as a value", tree)
        case .array(let elements):
            return write(storage: StorageIdentity.of(elements), as: .array) { archiver in
                archiver.list(elements.count, key: .elements) { archiver.archive(tree: elements[$0]) }
            }
        case .set(let elements):
            // An array may share the same storage.
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
