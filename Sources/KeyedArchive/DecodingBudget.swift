/// What decoding one archive may still copy and take. Spent before memory is taken.
final class DecodingBudget {
    private var copied: Int
    private var memory: Int
    /// Keys of large objects that may still be looked at. Objects that share their bytes are looked at for each of their names.
    private var visits: Int
    /// The key tables of large objects, kept for those who read them.
    private var indexes: [KeyIndex] = []

    init(archiveBytes: Int, limits: ArchiveLimits) {
        copied = min(limits.copiedBytes, archiveBytes)
        memory = min(limits.memory, ArchiveLimits.expansion * archiveBytes + ArchiveLimits.allowance)
        visits = archiveBytes
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

    func keep(_ index: KeyIndex) -> Unmanaged<KeyIndex> {
        indexes.append(index)
        return Unmanaged.passUnretained(index)
    }
}
