import Foundation
package import RecordStorage

/// The URL of a PostgreSQL server or of several, without any secret.
///
/// A password belongs into a passfile, because a URL is seen in configurations, logs and process lists.
package struct ServerAddress: Sendable, Equatable, CustomStringConvertible {
    /// The URL, as given.
    package let url: String

    /// Checks a URL.
    ///
    /// - Throws: A ``StoreError`` of the kind ``StoreError/Kind/refused`` if it is not a URL of PostgreSQL, or contains
    ///   a password; its text does not repeat that.
    package init(_ url: String) throws(StoreError) {
        let lowercase = url.lowercased()
        guard lowercase.hasPrefix("postgresql://") || lowercase.hasPrefix("postgres://") else {
            throw StoreError(
                .refused, "the database's URL does not begin with “postgresql://”; write postgresql://USER@HOST/NAME")
        }
        guard !Self.containsSecret(url) else {
            throw StoreError(
                .refused,
                "the database's URL \(Self.redacted(url)) contains a password, which logs and process lists would show; remove it from the URL, write HOST:PORT:DATABASE:USER:PASSWORD into a file that only the service can read (mode 0600), and name that file as “passfile”"
            )
        }
        guard !url.contains("\0") else {
            throw StoreError(.refused, "the database's URL contains a NUL character; remove it")
        }
        self.url = url
    }

    package var description: String { url }

    /// The parameters whose values are secrets.
    private static let secrets: Set = ["password", "sslpassword", "oauth_client_secret", "scram_client_key"]

    private static func containsSecret(_ url: String) -> Bool { redacted(url) != url }

    /// Returns a URL with each secret replaced by three asterisks.
    package static func redacted(_ url: String) -> String {
        let start = url.range(of: "://")?.upperBound ?? url.startIndex
        let end = endOfUser(url, from: start)
        var text = String(url[..<start])
        if let end {
            let (user, password) = split(String(url[start..<end]), at: ":")
            text += password == nil ? user : "\(user):***"
        }
        let (main, query) = split(String(url[(end ?? start)...]), at: "?")
        guard let query else { return text + main }
        let parts = query.split(separator: "&", omittingEmptySubsequences: false).map { part -> String in
            let (name, value) = split(String(part), at: "=")
            guard value != nil, secrets.contains(decoded(name).lowercased()) else { return String(part) }
            return "\(name)=***"
        }
        return "\(text)\(main)?\(parts.joined(separator: "&"))"
    }

    /// Returns the position of the “@” after user and password: the first before a “/”, as libpq has it. A password
    /// with an unescaped “/” is no valid URL, but must not be shown either.
    private static func endOfUser(_ url: String, from start: String.Index) -> String.Index? {
        let rest = url[start...]
        if let at = rest.prefix(while: { $0 != "/" }).firstIndex(of: "@") { return at }
        return rest.prefix { $0 != "?" }.lastIndex(of: "@")
    }

    private static func split(_ text: String, at separator: Character) -> (String, String?) {
        guard let place = text.firstIndex(of: separator) else { return (text, nil) }
        return (String(text[..<place]), String(text[text.index(after: place)...]))
    }

    /// Decodes a name's percent escapes, as libpq does: “%70assword” is a password, too.
    private static func decoded(_ text: String) -> String {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
