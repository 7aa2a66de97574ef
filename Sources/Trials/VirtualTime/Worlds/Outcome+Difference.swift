extension Outcome {
    /// The first difference between two runs of one course.
    public enum Difference: Hashable, Sendable {
        /// The decision with this number, from 0; nil if a run has no such decision.
        case decision(Int, first: Decision?, second: Decision?)
        /// The trace line with this number, from 1; nil if a run has no such line.
        case line(Int, first: String?, second: String?)
        /// The virtual time that passed.
        case virtualTime(first: Duration, second: Duration)
        /// The ending.
        case ending(first: Ending, second: Ending)
    }

    /// Returns the first difference from another run of the same course and build; nil if the runs are equal, as they
    /// should be.
    public func difference(from other: Outcome) -> Difference? {
        if let (index, first, second) = decisions.firstDifference(from: other.decisions) {
            return .decision(index, first: first, second: second)
        }
        if trace != other.trace {
            let lines = trace.split(separator: "\n", omittingEmptySubsequences: false)
            let others = other.trace.split(separator: "\n", omittingEmptySubsequences: false)
            if let (index, first, second) = lines.firstDifference(from: others) {
                return .line(index + 1, first: first.map { String($0) }, second: second.map { String($0) })
            }
        }
        if virtualTime != other.virtualTime { return .virtualTime(first: virtualTime, second: other.virtualTime) }
        return ending == other.ending ? nil : .ending(first: ending, second: other.ending)
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
