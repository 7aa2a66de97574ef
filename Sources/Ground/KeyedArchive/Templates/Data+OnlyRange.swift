package import Foundation

extension Data {
    /// Returns the range of bytes that occur exactly once; otherwise nil.
    package func onlyRange(of wanted: Data) -> Range<Int>? {
        guard let first = range(of: wanted),
            range(of: wanted, in: (first.lowerBound + 1)..<endIndex) == nil
        else { return nil }
        return first
    }
}
