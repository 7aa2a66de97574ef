import Configuration
import LinkProtocol
import Words

extension LinkCondition {
    /// Creates a condition from a configuration: a string of words, or an object of settings.
    init(configured value: JSONValue) throws(WordError) {
        switch value {
        case .string(let text): try self.init(words: text.split(separator: " ").map(String.init))
        case .object(let entries):
            var settings: [String: String] = [:]
            for (key, value) in entries { settings[key] = try Self.text(value, key) }
            try self.init(settings: settings)
        case .null, .boolean, .integer, .number, .array:
            throw .missing(subject: "link condition", allowed: LinkPreset.allCases.map(\.rawValue))
        }
    }

    private static func text(_ value: JSONValue, _ key: String) throws(WordError) -> String {
        switch value {
        case .string(let text): return text
        case .integer(let number): return "\(number)"
        case .number(let number): return "\(number)"
        case .boolean(let flag): return flag ? "on" : "off"
        case .null, .array, .object: throw .wrongValue("\(value)", key: key, form: "a string, a number, true or false")
        }
    }
}
