/// A scanner of the words of a log line in text form.
struct LogLineScanner {
    struct Word {
        let bytes: UnsafeRawBufferPointer
        init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private static let (space, equals, quote) = (UInt8(ascii: " "), UInt8(ascii: "="), UInt8(ascii: "\""))

    private let line: UnsafeRawBufferPointer
    private var place = 0

    init(_ line: UnsafeRawBufferPointer) { self.line = line }

    /// Returns the next word; empty at the end.
    mutating func next() -> Word {
        skipSpaces()
        let start = place
        while place < line.count, line[place] != Self.space { place += 1 }
        return word(start..<place)
    }

    /// Returns the next word without its last byte if that is `sign`; nil otherwise.
    mutating func next(endingWith sign: UInt8) -> Word? {
        let word = next()
        return word.bytes.last == sign ? Word(UnsafeRawBufferPointer(rebasing: word.bytes.dropLast())) : nil
    }

    /// Returns all words up to the first field.
    mutating func plainText() -> String {
        skipSpaces()
        let start = place
        var end = start
        while place < line.count {
            let before = place
            if next().bytes.contains(Self.equals) {
                place = before
                break
            }
            end = place
        }
        return word(start..<end).text
    }

    /// Returns the remaining fields: `key=value`, with quotes around a value of several words.
    mutating func fields() -> [String: String] {
        var fields: [String: String] = [:]
        while true {
            skipSpaces()
            let start = place
            while place < line.count, line[place] != Self.equals { place += 1 }
            guard place < line.count else { return fields }
            let key = word(start..<place).text
            place += 1
            fields[key] = place < line.count && line[place] == Self.quote ? quoted() : next().text
        }
    }

    /// Returns a value up to its closing quote. The escapes are JSON's; only the frequent ones are decoded.
    private mutating func quoted() -> String {
        var value: [UInt8] = []
        place += 1
        while place < line.count, line[place] != Self.quote {
            if line[place] == UInt8(ascii: "\\"), place + 1 < line.count {
                place += 1
                value.append(line[place] == UInt8(ascii: "n") ? Self.space : line[place])
            } else {
                value.append(line[place])
            }
            place += 1
        }
        place += 1
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func skipSpaces() { while place < line.count, line[place] == Self.space { place += 1 } }

    private func word(_ range: Range<Int>) -> Word { Word(UnsafeRawBufferPointer(rebasing: line[range])) }
}
