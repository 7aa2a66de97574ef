/// A number of times, or a range of numbers: `3`, `1...`, `...2`, `2...4`.
public protocol ExpectedTimes: Sendable {
    /// The least and the greatest number.
    var expectedTimes: ClosedRange<Int> { get }
}

extension Int: ExpectedTimes {
    /// The number alone.
    public var expectedTimes: ClosedRange<Int> { self...self }
}

extension ClosedRange: ExpectedTimes where Bound == Int {
    /// The range itself.
    public var expectedTimes: ClosedRange<Int> { self }
}

extension PartialRangeFrom: ExpectedTimes where Bound == Int {
    /// The range without an end.
    public var expectedTimes: ClosedRange<Int> { lowerBound...(.max) }
}

extension PartialRangeThrough: ExpectedTimes where Bound == Int {
    /// The range from zero.
    public var expectedTimes: ClosedRange<Int> { min(0, upperBound)...upperBound }
}
