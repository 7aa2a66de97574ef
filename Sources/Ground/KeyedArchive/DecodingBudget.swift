/// The remaining costs that decoding an archive may cause. They are charged before memory is allocated.
final class DecodingBudget {
    @exclusivity(unchecked) private var copied: Int
    @exclusivity(unchecked) private var memory: Int
    /// The remaining key visits in large objects. Objects that share their bytes are charged once per reference.
    @exclusivity(unchecked) private var visits: Int
    /// The remaining bytes for unshared copies of shared collections. See ``share(_:offset:)``.
    @exclusivity(unchecked) private var shared: Int
    /// The remaining comparisons by Foundation because of equal hashes. See ``compare(_:length:offset:)``.
    @exclusivity(unchecked) private var comparisons: Int
    /// The remaining sum of the counts of counted sets.
    @exclusivity(unchecked) private var counts = CountedElements.maximumSum
    /// The key tables of large objects, retained for their readers.
    @exclusivity(unchecked) private var indexes: [KeyIndex] = []

    init(archiveBytes: Int, limits: ArchiveLimits) {
        copied = min(limits.copiedBytes, archiveBytes)
        memory = min(limits.memory, ArchiveLimits.expansion * archiveBytes + ArchiveLimits.allowance)
        visits = archiveBytes
        shared = min(memory, ArchiveLimits.expansion * archiveBytes + Self.freeSharing)
        comparisons = ArchiveLimits.expansion * archiveBytes + Self.freeComparisons
    }

    /// The allowance for shared collections, in bytes. 64 KiB, or 8,192 elements: Foundation takes up to 200
    /// microseconds to print or compare one, so using the contents of a small archive takes little more than a second.
    private static let freeSharing = 64 * 1024
    /// The allowance of comparisons. 8,192: about 128 elements with one hash, and less than a millisecond.
    private static let freeComparisons = 8192
    /// The bytes of text or data that cost as much as one more comparison.
    private static let comparedAtOnce = 128

    /// Charges for copied bytes.
    ///
    /// - Parameter offset: The offset of the copied bytes, for the error.
    func copy(_ count: Int, offset: Int) throws(ArchiveError) {
        copied -= count
        guard copied >= 0 else {
            throw ArchiveError(.limitExceeded, "objects overlap: their bodies exceed the file", offset: offset)
        }
        try take(count, each: 1, offset: offset)
    }

    /// Charges for the nominal memory of values.
    func take(_ count: Int, each size: Int, offset: Int) throws(ArchiveError) {
        memory -= count * size
        guard memory >= 0 else {
            throw ArchiveError(
                .limitExceeded, "the values would take over \(ArchiveLimits.expansion) times the file", offset: offset)
        }
    }

    /// Charges for visiting the keys of a large object.
    func visit(_ keys: Int, offset: Int) throws(ArchiveError) {
        visits -= keys
        guard visits >= 0 else {
            throw ArchiveError(.limitExceeded, "objects overlap: their keys exceed the file", offset: offset)
        }
    }

    /// Charges for another reference to a collection.
    ///
    /// Thirty arrays that each contain the next one twice expand to a billion when they are printed, compared or
    /// copied. Foundation on Linux expands them even on access to their elements, as it converts its collections to
    /// Swift's.
    ///
    /// - Parameter elements: The number of elements in the collection, including those of nested collections.
    func share(_ elements: Int, offset: Int) throws(ArchiveError) {
        guard elements <= shared / ArchiveLimits.Nominal.reference else {
            throw ArchiveError(
                .limitExceeded, "shared collections would take over \(ArchiveLimits.expansion) times the file",
                offset: offset)
        }
        shared -= elements * ArchiveLimits.Nominal.reference
    }

    /// Charges for comparing an element with those of equal hash. Foundation hashes 96 characters of a text and 80
    /// bytes of data, so an attacker can construct any number of elements with one hash.
    ///
    /// - Parameters:
    ///   - others: The number of earlier elements with the same hash.
    ///   - length: The length of the longest of them, in bytes.
    func compare(_ others: Int, length: Int, offset: Int) throws(ArchiveError) {
        comparisons -= others * (1 + length / Self.comparedAtOnce)
        guard comparisons >= 0 else {
            throw ArchiveError(.limitExceeded, "too many elements share one hash", offset: offset)
        }
    }

    /// Charges for a count in a counted set. Foundation's counted sets count one at a time.
    func count(_ number: Int64, offset: Int) throws(ArchiveError) {
        guard number <= counts else {
            throw ArchiveError(
                .limitExceeded, "the counts of counted sets exceed \(CountedElements.maximumSum) in total",
                kind: ValueClass.countedSet.name, offset: offset)
        }
        counts -= Int(number)
    }

    /// Retains a key table for the duration of the decoding.
    func keep(_ index: KeyIndex) -> Unmanaged<KeyIndex> {
        indexes.append(index)
        return Unmanaged.passUnretained(index)
    }
}
