import Foundation

/// The archived form of index sets: one range under two keys, or several as packed pairs of numbers with seven bits per
/// byte, the lowest first, the high bit set on all bytes of a number but the last.
enum IndexRanges {
    static let countKey = "NSRangeCount"
    static let locationKey = "NSLocation"
    static let lengthKey = "NSLength"
    static let dataKey = "NSRangeData"

    static func ranges(of set: NSIndexSet) -> [NSRange] {
        var ranges: [NSRange] = []
        set.enumerateRanges { range, _ in ranges.append(range) }
        return ranges
    }

    static func encode(_ ranges: [NSRange], with archiver: KeyedArchiver) {
        archiver.encode(ranges.count, forKey: countKey)
        if ranges.count == 1 {
            archiver.encode(ranges[0].location, forKey: locationKey)
            archiver.encode(ranges[0].length, forKey: lengthKey)
        } else if ranges.count > 1 {
            var bytes = Data(capacity: 4 * ranges.count)
            for range in ranges {
                append(UInt64(range.location), to: &bytes)
                append(UInt64(range.length), to: &bytes)
            }
            archiver.encode(bytes, forKey: dataKey)
        }
    }

    /// Unpacks ranges; nil if the bytes are not exactly `count` valid ranges in ascending order: Foundation moves all
    /// later ranges for each one that is inserted between them.
    static func ranges(in bytes: UnsafeRawBufferPointer, count: Int64) -> [NSRange]? {
        var numbers: [Int] = []
        var number: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            // Nine bytes hold 63 bits, the maximum of an index.
            guard shift < 63 else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            numbers.append(Int(number))
            number = 0
            shift = 0
        }
        guard shift == 0, numbers.count % 2 == 0, numbers.count / 2 == count else { return nil }
        var ranges: [NSRange] = []
        for position in stride(from: 0, to: numbers.count, by: 2) {
            guard let range = range(Int64(numbers[position]), Int64(numbers[position + 1])),
                range.location >= ranges.last.map(NSMaxRange) ?? 0
            else { return nil }
            ranges.append(range)
        }
        return ranges
    }

    /// Returns a range that an index set may contain; nil for invalid bounds.
    static func range(_ location: Int64, _ length: Int64) -> NSRange? {
        guard location >= 0, length > 0, length <= Int64(NSNotFound) - location else { return nil }
        return NSRange(location: Int(location), length: Int(length))
    }

    private static func append(_ number: UInt64, to bytes: inout Data) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
