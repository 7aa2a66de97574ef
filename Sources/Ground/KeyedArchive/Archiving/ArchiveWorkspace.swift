import Locking

/// The memory for writing an archive.
///
/// It is reused for the next archive: allocating it again takes a fifth of the time of a small archive, and a third of
/// that of a large one, whose memory returns to the system each time.
// Proof of `@unchecked Sendable`: each instance is either in the pool, under its lock, or owned by one archiver.
final class ArchiveWorkspace: @unchecked Sendable {
    let table = ObjectTable()
    /// `$objects`: the index of each UID's object in the table.
    let objects = GrowingBuffer<ObjectTable.Index>(capacity: 64)
    /// The references to objects, and to collections by their storage, and the indices of types in ``types``, by their
    /// addresses.
    let identities = IdentityTable()
    /// The owners of the addresses in ``identities``, which keeps the addresses unique.
    let retainedObjects = RetainedObjects()
    /// The types seen so far.
    let types = GrowingBuffer<ArchivedTypeInfo>(capacity: 16)
    /// The references to the written Foundation classes, by ``ValueClass``; zero for the others.
    let valueClasses = GrowingBuffer<KeyedArchiver.Reference>(capacity: ValueClass.allCases.count)
    /// The keys and values of the objects that are being encoded, each nested object's after those of its parent. The
    /// first ones are those of `$top`.
    let stack = GrowingBuffer<ObjectTable.Index>(capacity: 64)

    private init() {}

    // MARK: - Pool

    /// The maximum size of the pool. 4: most programs archive on one thread at a time, and sorting a set takes another
    /// one.
    private static let mostKept = 4
    /// The size of the largest archive whose workspace is reused, in bytes. 1 MiB: four times the largest message; such
    /// a workspace takes about 8 MiB.
    private static let largestKept = 1024 * 1024
    private static let kept = Mutex<[ArchiveWorkspace]>([])

    /// Returns an empty workspace.
    static func take() -> ArchiveWorkspace {
        let workspace = kept.withLock { $0.popLast() } ?? ArchiveWorkspace()
        workspace.valueClasses.append(repeating: 0, count: ValueClass.allCases.count)
        return workspace
    }

    /// Empties the workspace and returns it to the pool. The caller must not use it afterwards.
    func giveBack() {
        let isSmall = table.size <= Self.largestKept
        table.removeAll()
        objects.truncate(to: 0)
        identities.removeAll()
        retainedObjects.removeAll()
        types.truncate(to: 0)
        valueClasses.truncate(to: 0)
        stack.truncate(to: 0)
        guard isSmall else { return }
        Self.kept.withLock { kept in
            if kept.count < Self.mostKept { kept.append(self) }
        }
    }
}
