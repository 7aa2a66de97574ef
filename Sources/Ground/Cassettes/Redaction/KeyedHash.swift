import Files
package import Foundation

/// A hash that nobody can repeat without its key (HMAC-SHA-256, RFC 2104): equal values have equal tokens as long as the
/// key lives, and afterwards a token tells nothing.
package struct KeyedHash: Sendable {
    /// The bytes of a key. 32: as many as the hash has, so that guessing the key is no easier than guessing the hash.
    private static let keyBytes = 32
    /// The bytes that the hash function takes at a time, and the longest key.
    private static let blockBytes = 64

    private let inner: Data
    private let outer: Data

    /// Creates a hash.
    ///
    /// - Parameter key: At most 64 bytes.
    init(key: [UInt8]) {
        let padded = key + [UInt8](repeating: 0, count: max(0, Self.blockBytes - key.count))
        inner = Data(padded.map { $0 ^ 0x36 })
        outer = Data(padded.map { $0 ^ 0x5C })
    }

    /// Creates a hash whose key is drawn here and kept nowhere else.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(key: (0..<Self.keyBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Returns the hash of bytes.
    func code(_ bytes: Data) -> Data { ContentDigest.of(outer + ContentDigest.of(inner + bytes)) }

    /// Returns the token of a value of a type; equal bytes of different types have different tokens.
    package func token(_ type: String, _ bytes: Data) -> String {
        TokenLetters.text(code(Data(type.utf8) + [0] + bytes), count: TokenLetters.tokenLetters)
    }
}
