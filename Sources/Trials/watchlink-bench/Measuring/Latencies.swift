/// A complete histogram of times; buckets are at most a 256th of their value wide, so that ratios of a few percent show.
struct Latencies {
    private static let subBits = 8
    private var counts = [Int](repeating: 0, count: 64 << subBits)
    private(set) var count = 0

    mutating func record(_ nanoseconds: Int64) {
        counts[Self.bucket(UInt64(max(1, nanoseconds)))] += 1
        count += 1
    }

    mutating func merge(_ other: Latencies) {
        for place in counts.indices { counts[place] += other.counts[place] }
        count += other.count
    }

    /// Returns the time below which the given share of all values lies, in nanoseconds.
    func percentile(_ share: Double) -> Double {
        var rest = Int((Double(count) * share).rounded(.up))
        for (place, number) in counts.enumerated() where number > 0 {
            rest -= number
            if rest <= 0 { return Self.value(place) }
        }
        return 0
    }

    private static func bucket(_ value: UInt64) -> Int {
        let exponent = 63 - value.leadingZeroBitCount
        guard exponent > subBits else { return Int(value) }
        return (exponent - subBits + 1) << subBits + Int(value >> UInt64(exponent - subBits)) & (1 << subBits - 1)
    }

    /// Returns the middle of a bucket.
    private static func value(_ bucket: Int) -> Double {
        let block = bucket >> subBits
        guard block > 0 else { return Double(bucket) }
        let base = UInt64(1 << subBits + bucket & (1 << subBits - 1)) << UInt64(block - 1)
        return Double(base) + Double(UInt64(1) << UInt64(block - 1)) / 2
    }
}
