package import Foundation

extension Data {
    /// Where bytes stand; nil unless they stand in exactly one place.
    package func onlyRange(of wanted: Data) -> Range<Int>? {
        guard let first = range(of: wanted),
            range(of: wanted, in: (first.lowerBound + 1)..<endIndex) == nil
        else { return nil }
        return first
    }
}
