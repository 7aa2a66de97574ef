/// A Swift collection that is archived as one of Foundation's, element by element: it is not copied into an `[Any]`,
/// and copies that share their storage are written once.
protocol ArchivableCollection {
    func archive(with archiver: KeyedArchiver) -> KeyedArchiver.Reference?
}

extension Array: ArchivableCollection {
    func archive(with archiver: KeyedArchiver) -> KeyedArchiver.Reference? {
        // Objects of any class are references; code for arrays of `Any` is several times slower.
        if Element.self is AnyClass { return archiver.archive(objects: unsafeBitCast(self, to: [AnyObject].self)) }
        return archiver.write(storage: StorageIdentity.of(self), as: .array) { archiver in
            archiver.list(count, key: .elements) { archiver.archive(value: self[$0]) }
        }
    }
}

extension KeyedArchiver {
    fileprivate func archive(objects: [AnyObject]) -> KeyedArchiver.Reference? {
        write(storage: StorageIdentity.of(objects), as: .array) { archiver in
            archiver.list(objects.count, key: .elements) { archiver.archive(object: objects[$0]) }
        }
    }

    func archive(numbers: [Int]) -> KeyedArchiver.Reference? {
        write(storage: StorageIdentity.of(numbers), as: .array) { archiver in
            archiver.list(numbers.count, ofScalars: { archiver.work.table.add(Int64(numbers[$0])) })
        }
    }

    func archive(texts: [String]) -> KeyedArchiver.Reference? {
        write(storage: StorageIdentity.of(texts), as: .array) { archiver in
            archiver.list(texts.count, ofScalars: { archiver.work.table.add(texts[$0]) })
        }
    }
}

extension Set: ArchivableCollection {
    func archive(with archiver: KeyedArchiver) -> KeyedArchiver.Reference? {
        archiver.write(storage: StorageIdentity.of(self), as: .set) { archiver in
            let elements = CanonicalOrder.sorted(Array(self), isShallow: archiver.sortsShallowly) { $0 }
            archiver.list(elements.count, key: .elements) { archiver.archive(value: elements[$0]) }
        }
    }
}

extension Dictionary: ArchivableCollection {
    func archive(with archiver: KeyedArchiver) -> KeyedArchiver.Reference? {
        archiver.write(storage: StorageIdentity.of(self), as: .dictionary) { archiver in
            let entries = CanonicalOrder.sorted(Array(self), isShallow: archiver.sortsShallowly) { $0.key }
            archiver.list(entries.count, key: .keys) { archiver.archive(value: entries[$0].key) }
            archiver.list(entries.count, key: .elements) { archiver.archive(value: entries[$0].value) }
        }
    }
}
