import Foundation

/// A value in a text.
enum LocalizationArgument: Equatable, Sendable {
    case text(String)
    case integer(Int64)
    case number(Double)

    /// The value as formats take it.
    var value: any CVarArg {
        switch self {
        case .text(let text): NSString(string: text)
        case .integer(let integer): integer
        case .number(let number): number
        }
    }
}
