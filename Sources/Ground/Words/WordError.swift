/// An error in the words of a command, a request or a setting. Its description gives the word, the allowed words and
/// the nearest of these.
public enum WordError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The word is not one of those allowed.
    case unknown(_ word: String, subject: String, allowed: [String])
    /// A required word is missing.
    case missing(subject: String, allowed: [String])
    /// KEY=VALUE with a key that is not an option of the subject.
    case unknownOption(_ word: String, subject: String, allowed: [String])
    /// A required KEY=VALUE is missing.
    case missingOption(subject: String, allowed: [String])
    /// KEY=VALUE with a value that is not allowed; `form` describes the allowed values.
    case wrongValue(_ value: String, key: String, form: String)
    /// The option was already given.
    case repeated(_ word: String, subject: String)
    /// A word after the end of the expected words.
    case superfluous(_ word: String, subject: String)

    /// The key of the wrong KEY=VALUE; nil for errors about other words.
    public var key: String? {
        switch self {
        case .unknownOption(let word, _, _), .repeated(let word, _): String(word.prefix { $0 != "=" })
        case .wrongValue(_, let key, _): key
        case .unknown, .missing, .missingOption, .superfluous: nil
        }
    }

    public var description: String {
        switch self {
        case .unknown(let word, let subject, let allowed):
            "\(subject): “\(word)” must be one of \(list(allowed))" + NearestWord.hint(word, among: allowed)
        case .missing(let subject, let allowed): "\(subject): a word is missing; expected one of \(list(allowed))"
        case .unknownOption(let word, let subject, let allowed):
            if allowed.isEmpty {
                "\(subject): “\(word)” is not an option; no options are allowed"
            } else {
                "\(subject): “\(word)” is not an option; allowed: \(list(allowed.map { $0 + "=" }))"
                    + NearestWord.hint(String(word.prefix { $0 != "=" }), among: allowed)
            }
        case .missingOption(let subject, let allowed):
            "\(subject): an option is missing; expected one of \(list(allowed.map { $0 + "=" }))"
        case .wrongValue(let value, let key, let form): "\(key): “\(value)” must be \(form)"
        case .repeated(let word, let subject): "\(subject): “\(word)” sets the same option again"
        case .superfluous(let word, let subject): "\(subject): “\(word)” is unexpected here"
        }
    }

    private func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
