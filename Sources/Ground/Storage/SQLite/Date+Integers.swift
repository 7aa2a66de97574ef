import Foundation

extension Date {
    /// Whole milliseconds since 1970 in UTC, as the databases store times; clamped to 64 bits.
    package var milliseconds: Int64 {
        let value = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    /// Whole microseconds since 1970 in UTC, as the ledger stores times; clamped to 64 bits.
    package var microseconds: Int64 {
        let value = (timeIntervalSince1970 * 1_000_000).rounded()
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
