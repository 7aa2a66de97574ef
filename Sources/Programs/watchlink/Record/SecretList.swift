import Cassettes
import Foundation

/// The list of words that must not be in a cassette.
enum SecretList {
    /// Reads a list: one word a line, in UTF-8.
    static func search(_ path: String) throws(CommandError) -> SecretSearch {
        let data = try InputFile.read(path)
        guard let text = String(data: data, encoding: .utf8) else { throw CommandError("\(path) is not UTF-8 text") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count <= SecretSearch.mostSecrets else {
            throw CommandError("\(path) has more than \(SecretSearch.mostSecrets) lines; split it")
        }
        return SecretSearch(lines)
    }
}
