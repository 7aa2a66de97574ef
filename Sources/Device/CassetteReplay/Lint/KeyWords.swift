/// The words of keys that say what a value is, in their usual spellings.
package enum KeyWords {
    /// The words that make a key a version, wherever they stand in it: `version`, `schemaVersion`, `api_version`.
    static let version: Set<String> = ["version", "revision", "schema", "protocol"]
    /// The keys that are a version as a whole only: `imageFormat` is none.
    static let wholeVersion: Set<String> = [
        "v", "ver", "rev", "format", "proto", "formatversion", "schemaversion", "protocolversion",
    ]
    /// The beginnings of versions that are written in small letters only: `apiversion`.
    static let versionBeginnings = ["api", "app", "data", "file", "message", "model", "msg", "payload"]
    /// The words of keys whose version is not that of the message: `osVersion`.
    static let foreignVersion: Set<String> = ["os", "ios", "watchos", "system", "firmware", "device"]
    /// The words that make a key an enumeration, however seldom it was seen: `kind`, `workoutType`.
    static let enumeration: Set<String> = [
        "action", "category", "cmd", "command", "event", "kind", "level", "mode", "op", "operation", "phase", "reason",
        "role", "state", "status", "step", "type", "unit", "units",
    ]

    /// Returns true if a key says the version of its message.
    ///
    /// - Parameters:
    ///   - path: The key path; in a list or deeper than two keys, it is the version of something in the message.
    ///   - more: Key paths, or keys, that a user has named.
    static func isVersion(_ path: String, _ more: Set<String>) -> Bool {
        let key = last(path)
        if more.contains(path) || more.contains(key) { return true }
        guard !path.contains("[]"), path.split(separator: ".").count <= 2 else { return false }
        let words = words(key)
        guard foreignVersion.isDisjoint(with: words) else { return false }
        let plain = plain(key)
        return !version.isDisjoint(with: words) || wholeVersion.contains(plain)
            || versionBeginnings.contains { plain == "\($0)version" }
    }

    /// Returns true if a key says that its value is one of a few.
    ///
    /// - Parameter more: Key paths, or keys, that a user has named.
    static func isEnumeration(_ path: String, _ more: Set<String> = []) -> Bool {
        let key = last(path)
        return more.contains(path) || more.contains(key) || words(key).last.map(enumeration.contains) == true
    }

    /// The least letters of a key that another one can be a longer form of. 3: shorter ones begin many words.
    private static let leastLetters = 3

    /// Returns true for two spellings of one name, or if one is a longer form of the other: `heart` and `hearts`.
    static func areAlike(_ key: String, _ other: String) -> Bool {
        let (short, long) = (plain(key), plain(other))
        guard min(short.count, long.count) >= leastLetters else { return false }
        return long.hasPrefix(short) || short.hasPrefix(long)
    }

    /// Returns the last key of a path.
    static func last(_ path: String) -> String {
        String((path.split(separator: ".").last ?? "").prefix { $0 != "[" })
    }

    /// Returns a key without its case and its separators: spellings of one name have the same.
    static func plain(_ key: String) -> String { key.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// Returns the words of a key, in lower case: `schemaVersion`, `schema_version` and `SCHEMA-VERSION` have two.
    static func words(_ key: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isLower = false
        for character in key {
            let isBreak = character.isUppercase && isLower
            if isBreak || !character.isLetter, !word.isEmpty {
                words.append(word)
                word = ""
            }
            if character.isLetter { word += character.lowercased() }
            isLower = character.isLowercase
        }
        return word.isEmpty ? words : words + [word]
    }
}
