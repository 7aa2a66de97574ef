/// The result of a ``RecordMigration``.
package struct RecordMigrationReport: Equatable, Sendable {
    /// The records that are new in the target.
    package var copied = 0
    /// The records whose later change was copied.
    package var changed = 0
    /// The traces of deleted records that are new in the target.
    package var deleted = 0
    /// The records that the target had already.
    package var present = 0
    /// The records that were changed later in the target, and stay so.
    package var newerInTarget = 0
    /// The records that were deleted in the target, and stay so.
    package var deletedInTarget = 0
    /// The records of the target of which the source knows nothing: those of other hosts, or later ones.
    package var onlyInTarget = 0
    /// The records that were read back from the target, with the digests that they have in the source.
    package var verified = 0
    /// The records that were copied, and not found in the target afterwards.
    package var unverified = 0
    /// The keys under which both stores have different content.
    package var conflicts: Set<RecordKey> = []
    /// The number of records of each store at the end.
    package var inSource = 0
    package var inTarget = 0

    package init() {}

    /// True if the target has every record of the source, byte for byte.
    package var isComplete: Bool { conflicts.isEmpty && unverified == 0 }
}
