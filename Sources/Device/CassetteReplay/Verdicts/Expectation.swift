import Foundation

/// The expectation of a finding: that it is there, for a reason, until a day.
package struct Expectation: Equatable, Sendable {
    /// The reason why it is intended; nil if it is not.
    package let reason: String?
    /// True if it was intended until a day that has passed.
    package let isExpired: Bool

    /// - Parameter name: The name of the finding.
    init(of name: String, among expected: [ExpectedChange], at now: Date) {
        let known = expected.first { $0.change == name }
        (reason, isExpired) = (known?.reason, known.map { $0.until <= now } ?? false)
    }

    /// True if the finding is intended today.
    package var isMet: Bool { reason != nil && !isExpired }

    /// The end of a finding's line; empty if nothing was expected.
    package var words: String {
        guard let reason else { return "" }
        return isExpired ? "; expected until a day that has passed: \(reason)" : "; expected: \(reason)"
    }
}
