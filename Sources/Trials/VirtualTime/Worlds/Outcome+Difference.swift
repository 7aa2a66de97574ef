extension Outcome {
    /// The first thing in which two runs of one course differ.
    public enum Difference: Hashable, Sendable {
        case decision(Int, first: Decision?, second: Decision?)
        case line(Int, first: String?, second: String?)
        case virtualTime(first: Duration, second: Duration)
        case ending(first: Ending, second: Ending)
    }

    /// Compares this run with another one of the same course and build. They should not differ.
    public func difference(from other: Outcome) -> Difference? {
        if let (index, first, second) = Self.firstDifference(decisions, other.decisions) {
            return .decision(index, first: first, second: second)
        }
        if trace != other.trace {
            let lines = trace.split(separator: "\n", omittingEmptySubsequences: false)
            let others = other.trace.split(separator: "\n", omittingEmptySubsequences: false)
            if let (index, first, second) = Self.firstDifference(lines, others) {
                return .line(index + 1, first: first.map { String($0) }, second: second.map { String($0) })
            }
        }
        if virtualTime != other.virtualTime { return .virtualTime(first: virtualTime, second: other.virtualTime) }
        return ending == other.ending ? nil : .ending(first: ending, second: other.ending)
    }

    private static func firstDifference<Element: Equatable>(
        _ first: [Element], _ second: [Element]
    ) -> (Int, Element?, Element?)? {
        let shared = zip(first, second).enumerated().first { $0.element.0 != $0.element.1 }
        if let shared { return (shared.offset, shared.element.0, shared.element.1) }
        guard first.count != second.count else { return nil }
        let index = min(first.count, second.count)
        return (index, index < first.count ? first[index] : nil, index < second.count ? second[index] : nil)
    }
}

extension Outcome.Difference: CustomStringConvertible {
    public var description: String {
        func text(_ value: (some CustomStringConvertible)?) -> String { value.map { "“\($0)”" } ?? "none" }
        return switch self {
        case .decision(let index, let first, let second):
            "decision \(index) was \(text(first)) the first time, and \(text(second)) the second"
        case .line(let number, let first, let second):
            "line \(number) of the trace was \(text(first)) the first time, and \(text(second)) the second"
        case .virtualTime(let first, let second):
            "the first run took \(first), and the second \(second)"
        case .ending(let first, let second):
            "the first run \(first), and the second \(second)"
        }
    }
}
