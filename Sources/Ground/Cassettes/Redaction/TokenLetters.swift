/// The letters of hashes in a cassette: sixteen consonants, one for four bits. Without vowels and digits, neither a word
/// nor a number can appear in a hash by chance.
package enum TokenLetters {
    private static let letters = Array("bcdfghjkmnpqrtvz")

    /// The letters of the hash of a content. 16: 64 bits, so that a million contents have a common one with a chance of 1
    /// in 37 million.
    package static let digestLetters = 16
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
