public import Foundation
import Words

/// A configuration in JSON5. Values are taken out one by one; what nobody took is refused by name.
public final class ConfigurationFile {
    private let path: String
    private let text: String
    private let prefix: [String]
    private let entries: [String: JSONValue]
    private let leftOut: Set<String>
    private var taken: Set<String> = []
    private var sections: [ConfigurationFile] = []

    /// Longest file that is read. 1 MiB: a configuration is a page or two.
    private static let maximumBytes = 1024 * 1024

    /// - Parameters:
    ///   - path: The file; nil for an empty configuration, which leaves every default.
    ///   - leavingOut: Keys, joined by dots, that are read as if they were not there.
    public convenience init(path: String?, leavingOut: Set<String> = []) throws(ConfigurationError) {
        guard let path else {
            self.init(path: "defaults", text: "", prefix: [], entries: [:], leftOut: [])
            return
        }
        func refused(_ reason: String, line: Int? = nil) -> ConfigurationError {
            ConfigurationError(file: path, line: line, key: "", reason: reason)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw refused("cannot be read; does it exist, and may this user read it?")
        }
        guard data.count <= Self.maximumBytes else { throw refused("is longer than \(Self.maximumBytes) bytes") }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let value: JSONValue
        do {
            value = try decoder.decode(JSONValue.self, from: data)
        } catch {
            throw refused("is no JSON5: \(Self.detail(error))")
        }
        guard case .object(let entries) = value else { throw refused("is no object { … }") }
        self.init(
            path: path, text: String(decoding: data, as: UTF8.self), prefix: [], entries: entries,
            leftOut: leavingOut)
    }

    private init(
        path: String, text: String, prefix: [String], entries: [String: JSONValue], leftOut: Set<String>
    ) {
        self.path = path
        self.text = text
        self.prefix = prefix
        self.entries = entries.filter { !leftOut.contains((prefix + [$0.key]).joined(separator: ".")) }
        self.leftOut = leftOut
    }

    // MARK: - Values

    public func string(_ key: String) throws(ConfigurationError) -> String? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value else { throw wrong(key, "is no text") }
        return text
    }

    public func uuid(_ key: String) throws(ConfigurationError) -> UUID? {
        guard let text = try string(key) else { return nil }
        guard let uuid = UUID(uuidString: text) else { throw wrong(key, "“\(text)” is no UUID") }
        return uuid
    }

    /// A number of seconds within bounds.
    public func seconds(_ key: String, within range: ClosedRange<Double>) throws(ConfigurationError) -> Duration? {
        guard let value = take(key) else { return nil }
        guard let seconds = value.number, range.contains(seconds) else {
            throw wrong(key, "is no number of seconds from \(range.lowerBound) to \(range.upperBound)")
        }
        return .nanoseconds(Int64(seconds * 1_000_000_000))
    }

    public func flag(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let value = take(key) else { return nil }
        guard let flag = value.boolean else { throw wrong(key, "is neither true nor false") }
        return flag
    }

    /// Any number within bounds.
    public func number(_ key: String, within range: ClosedRange<Double>) throws(ConfigurationError) -> Double? {
        guard let value = take(key) else { return nil }
        guard let number = value.number, range.contains(number) else {
            throw wrong(key, "is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A whole number within bounds.
    public func count(_ key: String, within range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
        guard let value = take(key) else { return nil }
        guard let number = value.integer.flatMap(Int.init(exactly:)), range.contains(number) else {
            throw wrong(key, "is no whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A list of user identifiers.
    public func users(_ key: String) throws(ConfigurationError) -> Set<UInt32>? {
        guard let value = take(key) else { return nil }
        let numbers = value.array?.compactMap { $0.integer.flatMap(UInt32.init(exactly:)) }
        guard let numbers, numbers.count == value.array?.count, !numbers.isEmpty else {
            throw wrong(key, "is no list of user identifiers, such as [1000]")
        }
        return Set(numbers)
    }

    /// One of a few words.
    public func choice<Value>(
        _ key: String, among choices: [(String, Value)]
    ) throws(ConfigurationError) -> Value? {
        guard let text = try string(key) else { return nil }
        guard let choice = choices.first(where: { $0.0 == text }) else {
            let words = choices.map(\.0)
            throw wrong(
                key, "“\(text)” must be one of \(words.joined(separator: ", "))" + NearestWord.hint(text, among: words))
        }
        return choice.1
    }

    /// A group of values; an empty one if the file has none.
    public func section(_ key: String) throws(ConfigurationError) -> ConfigurationFile {
        var entries: [String: JSONValue] = [:]
        if let value = take(key) {
            guard case .object(let found) = value else { throw wrong(key, "is no object { … }") }
            entries = found
        }
        let section = ConfigurationFile(
            path: path, text: text, prefix: prefix + [key], entries: entries, leftOut: leftOut)
        sections.append(section)
        return section
    }

    /// A list of groups of values; an empty one if the file has none.
    public func list(_ key: String) throws(ConfigurationError) -> [ConfigurationFile] {
        guard let value = take(key) else { return [] }
        guard let values = value.array else { throw wrong(key, "is no list [ … ]") }
        var list: [ConfigurationFile] = []
        for (index, value) in values.enumerated() {
            guard case .object(let entries) = value else { throw wrong(key, "number \(index + 1) is no object { … }") }
            list.append(
                ConfigurationFile(
                    path: path, text: text, prefix: prefix + ["\(key)[\(index)]"], entries: entries, leftOut: leftOut))
        }
        sections += list
        return list
    }

    /// Whatever stands there, for a reader that takes several forms.
    public func value(_ key: String) -> JSONValue? { take(key) }

    /// Leaves out what another reader of the same file takes.
    public func ignore(_ keys: String...) { taken.formUnion(keys) }

    /// Refuses what was not taken: a misspelt key must not be passed over silently.
    public func refuseUnknownKeys() throws(ConfigurationError) {
        if let unknown = entries.keys.filter({ !taken.contains($0) }).min() {
            throw wrong(unknown, "is not a setting" + NearestWord.hint(unknown, among: Array(taken)))
        }
        for section in sections { try section.refuseUnknownKeys() }
    }

    /// An error about a value of this file.
    public func wrong(_ key: String, _ reason: String) -> ConfigurationError {
        let keys = prefix + [key]
        return ConfigurationError(file: path, line: line(of: keys), key: keys.joined(separator: "."), reason: reason)
    }

    private func take(_ key: String) -> JSONValue? {
        taken.insert(key)
        return entries[key]
    }

    /// The line where a value stands, by its keys joined by dots; nil if the file does not give it.
    public func place(of key: String) -> Int? {
        let keys = key.split(separator: ".").map(String.init)
        var value = JSONValue.object(entries)
        for key in keys {
            guard let next = value[key] else { return nil }
            value = next
        }
        return line(of: keys)
    }

    /// The line where a key stands: each part is looked for behind the one before. Comments may mislead it, by a few lines.
    private func line(of keys: [String]) -> Int? {
        var rest = text[...]
        for key in keys {
            let pattern = "(^|[\\s{,\"'])\(NSRegularExpression.escapedPattern(for: key))[\"']?\\s*:"
            guard let range = rest.range(of: pattern, options: .regularExpression) else { return nil }
            rest = rest[range.upperBound...]
        }
        return text[..<rest.startIndex].filter { $0 == "\n" }.count + 1
    }

    /// Foundation hides the position of a syntax error one level down.
    private static func detail(_ error: any Error) -> String {
        guard case .dataCorrupted(let context) = error as? DecodingError else { return "\(error)" }
        let inner = (context.underlyingError as? NSError)?.userInfo[NSDebugDescriptionErrorKey] as? String
        return inner ?? context.debugDescription
    }
}
