import Locking

/// The memory in which an archive is put together.
///
/// Kept for the next archive: asking for it anew costs a small archive a fifth of its time, and a large one, whose memory goes
/// back to the system each time, a third.
// Proof of `@unchecked Sendable`: each is either among those kept, under their lock, or has one archiver.
final class ArchiveWorkspace: @unchecked Sendable {
    let table = ObjectTable()
    /// `$objects`: for each UID the object's place in the table.
    let objects = GrowingBuffer<ObjectTable.Index>(capacity: 64)
    /// The references to objects, and to collections by their memory, and the places of types in ``types``, by their
    /// addresses.
    let identities = IdentityTable()
    /// Keeps alive what is in ``identities``.
    let retainedObjects = RetainedObjects()
    /// The types met so far.
    let types = GrowingBuffer<KnownType>(capacity: 16)
    /// The references to Foundation's classes that were written, by ``ValueClass``; zero for none.
    let valueClasses = GrowingBuffer<KeyedArchiver.Reference>(capacity: ValueClass.allCases.count)
    /// The keys and values of the objects that are being encoded, each object's behind those of the one that holds it. The
    /// first are those of `$top`.
    let stack = GrowingBuffer<ObjectTable.Index>(capacity: 64)

    private init() {}

    // MARK: - Keeping

    /// As many are kept: most programs archive on one thread at a time, and sorting a set takes another.
    private static let mostKept = 4
    /// Larger ones are not kept, in bytes of the archive that they were used for. 1 MiB: four times the largest message; such a
    /// workspace takes some 8 MiB.
    private static let largestKept = 1024 * 1024
    private static let kept = Mutex<[ArchiveWorkspace]>([])

    /// One that holds nothing.
    static func take() -> ArchiveWorkspace {
        let workspace = kept.withLock { $0.popLast() } ?? ArchiveWorkspace()
        workspace.valueClasses.append(repeating: 0, count: ValueClass.allCases.count)
        return workspace
    }

    /// Forgets all that it holds. Nobody may use it afterwards but who takes it.
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
