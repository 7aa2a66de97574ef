/// What decoding one archive may still copy and take. Spent before memory is taken.
final class DecodingBudget {
    @exclusivity(unchecked) private var copied: Int
    @exclusivity(unchecked) private var memory: Int
    /// Keys of large objects that may still be looked at. Objects that share their bytes are looked at for each of their names.
    @exclusivity(unchecked) private var visits: Int
    /// Bytes that may still be needed for what collections hold in common, when each gets its own. See ``share(_:offset:)``.
    @exclusivity(unchecked) private var shared: Int
    /// The key tables of large objects, kept for those who read them.
    @exclusivity(unchecked) private var indexes: [KeyIndex] = []

    init(archiveBytes: Int, limits: ArchiveLimits) {
        copied = min(limits.copiedBytes, archiveBytes)
        memory = min(limits.memory, ArchiveLimits.expansion * archiveBytes + ArchiveLimits.allowance)
        visits = archiveBytes
        shared = memory
    }

    /// - Parameter offset: of what is copied, for the message.
    func copy(_ count: Int, offset: Int) throws(ArchiveError) {
        copied -= count
        guard copied >= 0 else {
            throw ArchiveError(.limitExceeded, "objects overlap: their bodies exceed the file", offset: offset)
        }
        try take(count, each: 1, offset: offset)
    }

    func take(_ count: Int, each size: Int, offset: Int) throws(ArchiveError) {
        memory -= count * size
        guard memory >= 0 else {
            throw ArchiveError(
                .limitExceeded, "the values would take over \(ArchiveLimits.expansion) times the file", offset: offset)
        }
    }

    func visit(_ keys: Int, offset: Int) throws(ArchiveError) {
        visits -= keys
        guard visits >= 0 else {
            throw ArchiveError(.limitExceeded, "objects overlap: their keys exceed the file", offset: offset)
        }
    }

    /// Foundation on Linux makes Swift's collections of its own when their elements are asked for, and a copy for each place of
    /// one that several hold: thirty arrays that each hold the next one twice become a billion.
    ///
    /// - Parameter elements: of a collection that is met again, with those of the collections in it.
    func share(_ elements: Int, offset: Int) throws(ArchiveError) {
        guard elements <= shared / ArchiveLimits.Nominal.reference else {
            throw ArchiveError(
                .limitExceeded, "collections held in common would take over \(ArchiveLimits.expansion) times the file",
                offset: offset)
        }
        shared -= elements * ArchiveLimits.Nominal.reference
    }

    func keep(_ index: KeyIndex) -> Unmanaged<KeyIndex> {
        indexes.append(index)
        return Unmanaged.passUnretained(index)
    }
}
