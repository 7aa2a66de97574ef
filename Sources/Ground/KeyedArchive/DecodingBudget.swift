/// What decoding one archive may still copy and take. Spent before memory is taken.
final class DecodingBudget {
    @exclusivity(unchecked) private var copied: Int
    @exclusivity(unchecked) private var memory: Int
    /// Keys of large objects that may still be looked at. Objects that share their bytes are looked at for each of their names.
    @exclusivity(unchecked) private var visits: Int
    /// Bytes that may still be needed for what collections hold in common, when each gets its own. See ``share(_:offset:)``.
    @exclusivity(unchecked) private var shared: Int
    /// Comparisons that Foundation may still have to make because hashes are equal. See ``compare(_:length:offset:)``.
    @exclusivity(unchecked) private var comparisons: Int
    /// What the counts of counted sets may still add up to.
    @exclusivity(unchecked) private var counts = CountedElements.maximumSum
    /// The key tables of large objects, kept for those who read them.
    @exclusivity(unchecked) private var indexes: [KeyIndex] = []

    init(archiveBytes: Int, limits: ArchiveLimits) {
        copied = min(limits.copiedBytes, archiveBytes)
        memory = min(limits.memory, ArchiveLimits.expansion * archiveBytes + ArchiveLimits.allowance)
        visits = archiveBytes
        shared = min(memory, ArchiveLimits.expansion * archiveBytes + Self.freeSharing)
        comparisons = ArchiveLimits.expansion * archiveBytes + Self.freeComparisons
    }

    /// Bytes for what collections hold in common in any case. 64 KiB, 8,192 elements: Foundation takes up to 200 microseconds to
    /// print or compare one, so that what a small archive holds does not take much more than a second.
    private static let freeSharing = 64 * 1024
    /// Comparisons that cost nothing. 8,192: some 128 elements of one hash, and less than a millisecond.
    private static let freeComparisons = 8192
    /// Bytes of a text or data that are compared in the time of one more comparison.
    private static let comparedAtOnce = 128

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

    /// Thirty arrays that each hold the next one twice are a billion to whoever prints, compares or copies them. Foundation on
    /// Linux does so even when elements are asked for, as it makes Swift's collections of its own.
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

    /// Elements of one hash are compared with each other. Foundation looks at 96 characters of a text and 80 bytes of data, so
    /// that any number of them can be chosen that all have one hash.
    ///
    /// - Parameters:
    ///   - others: how many elements of its hash were there before an element.
    ///   - length: of the longest of them, in bytes.
    func compare(_ others: Int, length: Int, offset: Int) throws(ArchiveError) {
        comparisons -= others * (1 + length / Self.comparedAtOnce)
        guard comparisons >= 0 else {
            throw ArchiveError(.limitExceeded, "too many elements of one hash", offset: offset)
        }
    }

    /// Foundation's counted sets count one at a time.
    func count(_ number: Int64, offset: Int) throws(ArchiveError) {
        guard number <= counts else {
            throw ArchiveError(
                .limitExceeded, "counts of more than \(CountedElements.maximumSum) together",
                kind: ValueClass.countedSet.name, offset: offset)
        }
        counts -= Int(number)
    }

    func keep(_ index: KeyIndex) -> Unmanaged<KeyIndex> {
        indexes.append(index)
        return Unmanaged.passUnretained(index)
    }
}
