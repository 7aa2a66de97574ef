/// A list of departures that is no course.
public enum CourseError: Error, Equatable, Sendable, CustomStringConvertible {
    case disorder(Int, after: Int)
    case beyondEnd(Int, given: Int)
    case tooLong(Int)
    case samePlace(Int)

    public var description: String {
        switch self {
        case .disorder(let index, let last) where last < 0:
            "the number of a decision is \(index): it must be 0 or more"
        case .disorder(let index, let last):
            "decision \(index) is listed after decision \(last): the numbers must grow"
        case .samePlace(let index):
            "decision \(index) has the place of an earlier one: each place must be listed once"
        case .beyondEnd(let index, let given):
            "decision \(index) is listed, but only \(given) decisions are given: raise “given” or leave it out"
        case .tooLong(let given):
            "\(given) decisions are given: at most \(Course.mostGiven) are allowed"
        }
    }
}
