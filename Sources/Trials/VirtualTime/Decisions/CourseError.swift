/// The error for a list of departures that does not form a course.
public enum CourseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A decision is listed after one with an equal or higher number, or has a negative number.
    case disorder(Int, after: Int)
    /// A decision lies beyond the number of given decisions.
    case beyondEnd(Int, given: Int)
    /// More decisions are given than ``Course/mostGiven``.
    case tooLong(Int)
    /// A decision has the same place as an earlier one.
    case samePlace(Int)

    public var description: String {
        switch self {
        case .disorder(let index, let last) where last < 0:
            "the number of a decision is \(index): it must be 0 or more"
        case .disorder(let index, let last):
            "decision \(index) is listed after decision \(last): the numbers must increase"
        case .samePlace(let index):
            "decision \(index) has the same place as an earlier one: each place can be listed only once"
        case .beyondEnd(let index, let given):
            "decision \(index) is listed, but only \(given) decisions are given: raise “given” or leave it out"
        case .tooLong(let given):
            "\(given) decisions are given: at most \(Course.mostGiven) are allowed"
        }
    }
}
