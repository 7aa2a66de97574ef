import Configuration
package import Foundation
package import Words

extension JSONValue {
    /// Parses the words of a request, with the same grammar as on the command line.
    ///
    /// - Throws: ``ControlError`` of code `invalidParams`.
    package func deed<Deed: WordConvertible>() throws(ControlError) -> Deed {
        let words = self["words"]?.array.map { $0.compactMap(\.string) }
        guard let words, words.count == self["words"]?.array?.count else {
            throw ControlError(ControlError.invalidParams, "“words” must be a list of strings")
        }
        do {
            return try Deed(words: words)
        } catch {
            throw ControlError(ControlError.invalidParams, "\(error)")
        }
    }

    /// Creates the parameters of a request in words.
    package init(deed: some WordConvertible) { self = ["words": .array(deed.words.map { .string($0) })] }

    /// Returns a UUID parameter; nil if it is omitted.
    package func uuid(_ key: String) throws(ControlError) -> UUID? {
        guard let value = self[key], value != .null else { return nil }
        guard let uuid = value.string.flatMap(UUID.init(uuidString:)) else {
            throw ControlError(ControlError.invalidParams, "“\(key)” must be a UUID, not \(value.brief)")
        }
        return uuid
    }
}
