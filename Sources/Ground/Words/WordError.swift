/// Words that say nothing that can be done: the word that was given, the words that are allowed, and the nearest of these.
public enum WordError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A word is not among those that may stand there.
    case unknown(_ word: String, subject: String, allowed: [String])
    /// A word has to stand there.
    case missing(subject: String, allowed: [String])
    /// KEY=VALUE with a key that the subject does not have.
    case unknownOption(_ word: String, subject: String, allowed: [String])
    /// KEY=VALUE that the subject cannot do without.
    case missingOption(subject: String, allowed: [String])
    /// KEY=VALUE with a value that cannot be.
    case wrongValue(_ value: String, key: String, form: String)
    case repeated(_ word: String, subject: String)
    /// Nothing may follow, and something does.
    case superfluous(_ word: String, subject: String)

    /// The key of the KEY=VALUE that is wrong.
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
        case .missing(let subject, let allowed): "\(subject): a word is missing; it must be one of \(list(allowed))"
        case .unknownOption(let word, let subject, let allowed):
            if allowed.isEmpty {
                "\(subject): “\(word)” is not an option; there are none"
            } else {
                "\(subject): “\(word)” is not an option; there are \(list(allowed.map { $0 + "=" }))"
                    + NearestWord.hint(String(word.prefix { $0 != "=" }), among: allowed)
            }
        case .missingOption(let subject, let allowed):
            "\(subject): an option is missing; it must be one of \(list(allowed.map { $0 + "=" }))"
        case .wrongValue(let value, let key, let form): "\(key): “\(value)” must be \(form)"
        case .repeated(let word, let subject): "\(subject): “\(word)” says the same for a second time"
        case .superfluous(let word, let subject): "\(subject): “\(word)” is one word too many"
        }
    }

    private func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
