/// The values of KEY=VALUE words, by their keys.
package struct OptionWords {
    private let subject: String
    private let keys: [String]
    private var values: [String: String] = [:]

    /// - Parameter keys: The allowed keys; each can be given once.
    init(_ words: [String], _ subject: String, _ keys: [String]) throws(WordError) {
        self.subject = subject
        self.keys = keys
        for word in words {
            guard let equals = word.firstIndex(of: "="), keys.contains(String(word[..<equals])) else {
                throw .unknownOption(word, subject: subject, allowed: keys)
            }
            let value = String(word[word.index(after: equals)...])
            guard values.updateValue(value, forKey: String(word[..<equals])) == nil else {
                throw .repeated(word, subject: subject)
            }
        }
    }

    package var isEmpty: Bool { values.isEmpty }

    /// - Throws: If none of the keys is given.
    package func requireOne() throws(WordError) {
        if values.isEmpty { throw .missingOption(subject: subject, allowed: keys) }
    }

    package func span(_ key: String) throws(WordError) -> Duration? {
        guard let value = values[key] else { return nil }
        return try WordValue.span(key, value)
    }

    /// Returns the value of a required duration.
    package func requiredSpan(_ key: String) throws(WordError) -> Duration {
        guard let span = try span(key) else { throw .missingOption(subject: subject, allowed: [key]) }
        return span
    }

    /// Returns the value of a required option.
    package func required(_ key: String) throws(WordError) -> String {
        guard let value = values[key] else { throw .missingOption(subject: subject, allowed: [key]) }
        return value
    }

    package func count(_ key: String, within range: ClosedRange<Int>) throws(WordError) -> Int? {
        guard let value = values[key] else { return nil }
        guard let number = Int(value), range.contains(number) else {
            throw .wrongValue(
                value, key: key, form: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package func number(_ key: String, within range: ClosedRange<Double>) throws(WordError) -> Double? {
        guard let value = values[key] else { return nil }
        guard let number = Double(value), range.contains(number) else {
            throw .wrongValue(value, key: key, form: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
