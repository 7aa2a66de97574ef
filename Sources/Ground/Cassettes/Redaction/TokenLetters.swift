/// The letters of hashes in a cassette: sixteen consonants, one for four bits. Without vowels and digits, neither a word
/// nor a number can appear in a hash by chance.
package enum TokenLetters {
    private static let letters = Array("bcdfghjkmnpqrtvz")

    /// The letters of the hash of a content. 12: 48 bits, so that two of ten thousand contents have the same with a chance of
    /// 1 in 5 million; a longer one would be the longest part of an event.
    package static let digestLetters = 12
    /// The letters of the hash of a value. 15: 60 bits, which is enough for as many values.
    package static let tokenLetters = 15

    /// Returns the first letters of bytes.
    package static func text(_ bytes: some Collection<UInt8>, count: Int) -> String {
        var text = ""
        for byte in bytes.prefix((count + 1) / 2) {
            text.append(letters[Int(byte >> 4)])
            text.append(letters[Int(byte & 15)])
        }
        return String(text.prefix(count))
    }

    /// Returns true for a text of this many of the letters.
    package static func isHash(_ text: some StringProtocol, count: Int) -> Bool {
        text.count == count && text.allSatisfy { letters.contains($0) }
    }
}
