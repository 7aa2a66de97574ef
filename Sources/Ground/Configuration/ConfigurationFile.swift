public import Foundation
import Processes
import Words

/// A configuration in JSON5. Values are read one by one; keys that were not read are rejected as unknown.
public final class ConfigurationFile {
    private let path: String
    private let text: ConfigurationText?
    private let prefix: [String]
    private let entries: [String: JSONValue]
    private let leftOut: Set<String>
    private var taken: Set<String> = []
    private var sections: [ConfigurationFile] = []

    /// The longest file in bytes. 1 MiB: a configuration is a page or two.
    private static let maximumBytes = 1024 * 1024

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file; nil for an empty configuration, in which every setting has its default.
    ///   - leavingOut: Keys, joined by dots, that are ignored.
    /// - Throws: An error if the file cannot be read, or as ``init(content:of:leavingOut:)``.
    public convenience init(path: String?, leavingOut: Set<String> = []) throws(ConfigurationError) {
        guard let path else {
            self.init(path: "defaults", text: nil, prefix: [], entries: [:], leftOut: [])
            return
        }
        func refused(_ reason: String) -> ConfigurationError {
            ConfigurationError(file: path, key: "", reason: reason)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw refused("cannot be read; check that it exists and that this user may read it")
        }
        guard data.count <= Self.maximumBytes else { throw refused("is longer than \(Self.maximumBytes) bytes") }
        guard let content = String(data: data, encoding: .utf8) else { throw refused("is not UTF-8 text") }
        try self.init(content: content, of: path, leavingOut: leavingOut)
    }

    /// Parses the content of a file.
    ///
    /// - Parameters:
    ///   - content: JSON5 with an object at the top level.
    ///   - path: The path of the file, for errors.
    ///   - leavingOut: Keys, joined by dots, that are ignored.
    /// - Throws: An error with line and column if the text is not JSON5, or if a key is repeated.
    public convenience init(
        content: String, of path: String, leavingOut: Set<String> = []
    ) throws(ConfigurationError) {
        let text = try Self.text(content, of: path, leavingOut)
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        if let key = JSONValue.takesInfinity { decoder.userInfo[key] = true }
        let value: JSONValue
        do {
            value = try decoder.decode(JSONValue.self, from: Data(content.utf8))
        } catch let error as DecodingError {
            throw ConfigurationError(
                file: path, line: text.places[error.key]?.line, key: error.key, reason: "is not JSON5: \(error.detail)")
        } catch {
            throw ConfigurationError(file: path, key: "", reason: "is not JSON5: \(error)")
        }
        guard case .object(let entries) = value else {
            throw ConfigurationError(file: path, key: "", reason: "is not an object { … }")
        }
        self.init(path: path, text: text, prefix: [], entries: entries, leftOut: leavingOut)
    }

    /// Returns the locations of a file's keys.
    private static func text(
        _ content: String, of path: String, _ leftOut: Set<String>
    ) throws(ConfigurationError) -> ConfigurationText {
        let text: ConfigurationText
        do {
            text = try ConfigurationText(content)
        } catch {
            throw ConfigurationError(
                file: path, line: error.place.line, column: error.place.column, key: "",
                reason: "is not JSON5: \(error.reason)")
        }
        if let twice = text.repetitions.first(where: { !leftOut.contains($0.key) }) {
            throw ConfigurationError(
                file: path, line: twice.place.line, column: twice.place.column, key: twice.key,
                reason: "is given twice; first on line \(twice.first.line)")
        }
        return text
    }

    private init(
        path: String, text: ConfigurationText?, prefix: [String], entries: [String: JSONValue], leftOut: Set<String>
    ) {
        self.path = path
        self.text = text
        self.prefix = prefix
        self.entries = entries.filter { !leftOut.contains((prefix + [$0.key]).joined(separator: ".")) }
        self.leftOut = leftOut
    }

    // MARK: - Values

    /// Returns a string; nil if the key is absent.
    public func string(_ key: String) throws(ConfigurationError) -> String? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value else { throw unsuitable(key, value, "must be a string") }
        return text
    }

    /// Returns the path of a file or a socket, which must not be empty; nil if the key is absent.
    public func filePath(_ key: String) throws(ConfigurationError) -> String? {
        guard let path = try string(key) else { return nil }
        guard !path.isEmpty else { throw wrong(key, "must be a path, not an empty string") }
        return path
    }

    /// Returns a UUID; nil if the key is absent.
    public func uuid(_ key: String) throws(ConfigurationError) -> UUID? {
        guard let text = try string(key) else { return nil }
        guard let uuid = UUID(uuidString: text) else { throw wrong(key, "“\(text)” is not a UUID") }
        return uuid
    }

    /// Returns a number of seconds within bounds; nil if the key is absent.
    public func seconds(_ key: String, within range: ClosedRange<Double>) throws(ConfigurationError) -> Duration? {
        guard let value = take(key) else { return nil }
        guard let seconds = value.number, range.contains(seconds) else {
            throw unsuitable(key, value, "must be a number of seconds from \(range.lowerBound) to \(range.upperBound)")
        }
        return .nanoseconds(Int64(seconds * 1_000_000_000))
    }

    /// Returns a Boolean value; nil if the key is absent.
    public func flag(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let value = take(key) else { return nil }
        guard let flag = value.boolean else { throw unsuitable(key, value, "must be true or false") }
        return flag
    }

    /// Throws if a period is longer than another one.
    public func require(
        _ key: String, _ period: Duration, atMost otherKey: String, _ other: Duration
    ) throws(ConfigurationError) {
        guard period > other else { return }
        throw contradiction(key, period, "at most", otherKey, other)
    }

    /// Throws if a period is not shorter than another one.
    public func require(
        _ key: String, _ period: Duration, below otherKey: String, _ other: Duration
    ) throws(ConfigurationError) {
        guard period >= other else { return }
        throw contradiction(key, period, "less than", otherKey, other)
    }

    /// Returns an error about the key that the file contains; the other one has its default then.
    private func contradiction(
        _ key: String, _ period: Duration, _ relation: String, _ otherKey: String, _ other: Duration
    ) -> ConfigurationError {
        wrong(
            entries[key] == nil ? otherKey : key,
            "\(key) (\(period / .seconds(1)) s) must be \(relation) \(otherKey) (\(other / .seconds(1)) s)")
    }

    /// Returns a number within bounds; nil if the key is absent.
    public func number(_ key: String, within range: ClosedRange<Double>) throws(ConfigurationError) -> Double? {
        guard let value = take(key) else { return nil }
        guard let number = value.number, range.contains(number) else {
            throw unsuitable(key, value, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns a whole number within bounds; nil if the key is absent.
    public func count(_ key: String, within range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
        guard let value = take(key) else { return nil }
        guard let number = value.integer.flatMap(Int.init(exactly:)), range.contains(number) else {
            throw unsuitable(key, value, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns a non-empty list of user identifiers; nil if the key is absent.
    public func users(_ key: String) throws(ConfigurationError) -> Set<UInt32>? {
        guard let value = take(key) else { return nil }
        let numbers = value.array?.compactMap { $0.integer.flatMap(UInt32.init(exactly:)) }
        guard let numbers, numbers.count == value.array?.count, !numbers.isEmpty else {
            throw unsuitable(key, value, "must be a list of user identifiers, such as [1000]")
        }
        guard !numbers.contains(UserNamespace.overflow) else {
            throw wrong(
                key,
                "contains \(UserNamespace.overflow), the identifier of all unmapped users (user_namespaces(7)): use the users' own identifiers"
            )
        }
        return Set(numbers)
    }

    /// Returns a list of strings; nil if the key is absent.
    public func texts(_ key: String) throws(ConfigurationError) -> [String]? {
        guard let value = take(key) else { return nil }
        let texts = value.array?.compactMap(\.string)
        guard let texts, texts.count == value.array?.count else {
            throw unsuitable(key, value, "must be a list of strings")
        }
        return texts
    }

    /// Returns the value of one of several words; nil if the key is absent.
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

    /// Returns a nested object; an empty one if the key is absent.
    public func section(_ key: String) throws(ConfigurationError) -> ConfigurationFile {
        var entries: [String: JSONValue] = [:]
        if let value = take(key) {
            guard case .object(let found) = value else { throw unsuitable(key, value, "must be an object { … }") }
            entries = found
        }
        let section = ConfigurationFile(
            path: path, text: text, prefix: prefix + [key], entries: entries, leftOut: leftOut)
        sections.append(section)
        return section
    }

    /// Returns a list of objects; empty if the key is absent.
    public func list(_ key: String) throws(ConfigurationError) -> [ConfigurationFile] {
        guard let value = take(key) else { return [] }
        guard let values = value.array else { throw unsuitable(key, value, "must be a list [ … ]") }
        var list: [ConfigurationFile] = []
        for (index, value) in values.enumerated() {
            guard case .object(let entries) = value else {
                throw wrong(key, "element \(index + 1) must be an object { … }")
            }
            list.append(
                ConfigurationFile(
                    path: path, text: text, prefix: prefix + ["\(key)[\(index)]"], entries: entries, leftOut: leftOut))
        }
        sections += list
        return list
    }

    /// The keys of this object, sorted; for objects whose keys the user chooses.
    public var names: [String] { entries.keys.sorted() }

    /// Returns a value of any kind, for a caller that accepts several forms; nil if the key is absent.
    public func value(_ key: String) -> JSONValue? { take(key) }

    /// Marks keys as known that another reader of the same file uses.
    public func ignore(_ keys: String...) { taken.formUnion(keys) }

    /// Throws if a key was not read: a misspelt key must not be ignored silently.
    public func refuseUnknownKeys() throws(ConfigurationError) {
        if let unknown = entries.keys.filter({ !taken.contains($0) }).min() {
            throw wrong(unknown, "is not a setting" + NearestWord.hint(unknown, among: Array(taken)))
        }
        for section in sections { try section.refuseUnknownKeys() }
    }

    /// Returns an error about a value of this object, with the line of the value, or of the object if that lacks it.
    public func wrong(_ key: String, _ reason: String) -> ConfigurationError {
        ConfigurationError(
            file: path, line: place(of: full(key)) ?? place(of: prefix.joined(separator: ".")), key: full(key),
            reason: reason)
    }

    /// Returns an error about a value of the wrong kind or out of bounds, with the given value.
    private func unsuitable(_ key: String, _ value: JSONValue, _ allowed: String) -> ConfigurationError {
        let word = text?.words[full(key)]
        return wrong(key, "\(allowed), not \(word.map { "“\($0)”" } ?? value.brief)")
    }

    private func full(_ key: String) -> String { (prefix + [key]).joined(separator: ".") }

    private func take(_ key: String) -> JSONValue? {
        taken.insert(key)
        return entries[key]
    }

    /// Returns the line of a value, by its keys joined by dots; nil if the file does not contain it.
    public func place(of key: String) -> Int? {
        leftOut.contains(key) ? nil : text?.places[key]?.line
    }
}
