import ServiceRuntime

/// One machine's share of the seeds: each seed belongs to exactly one shard, regardless of the other machines.
struct Shard: Codable, Equatable {
    /// The number of the shard, from 1.
    let number: Int
    let count: Int

    /// All seeds.
    static let whole = Shard(number: 1, count: 1)
    /// A million: more processes than the largest clusters start for one job.
    private static let counts = 1...1_000_000

    private init(number: Int, count: Int) { (self.number, self.count) = (number, count) }

    /// Parses a shard.
    ///
    /// - Parameter text: For example “2/8” for the second of eight.
    init(_ text: String) throws(UsageError) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let count = numbers[1], Self.counts.contains(count),
            (1...count).contains(number)
        else {
            throw UsageError("--shard \(text): it must be one of 1/N to N/N, such as 2/8, with N up to 1000000")
        }
        self.init(number: number, count: count)
    }

    /// Returns this shard's seeds, interleaved with those of the others, so that each shard gets some of the first
    /// ones.
    func seeds(_ seeds: ClosedRange<UInt64>) -> (first: UInt64, step: UInt64)? {
        let (first, overflow) = seeds.lowerBound.addingReportingOverflow(UInt64(number - 1))
        return overflow || first > seeds.upperBound ? nil : (first, UInt64(count))
    }
}
