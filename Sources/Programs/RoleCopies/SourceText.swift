/// The bytes of a source file, and their lines.
struct SourceText {
    /// The longest source in bytes. 10 MB: a hundred times the largest file that people write; the tokens of more would
    /// take gigabytes.
    static let maximumBytes = 10_000_000

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The bytes without a byte order mark, which is allowed only at the beginning of a file.
    let bytes: [UInt8]
    /// The first byte of each line.
    private let lineStarts: [Int]

    init(_ bytes: [UInt8]) throws(CopyError) {
        guard bytes.count <= Self.maximumBytes else {
            throw CopyError(
                line: 1,
                message: "the file has \(bytes.count) bytes, and at most \(Self.maximumBytes) are read; "
                    + "leave it out in \(TargetSettings.fileName), or divide it")
        }
        let bytes =
            bytes.starts(with: Self.byteOrderMark) ? Array(bytes.dropFirst(Self.byteOrderMark.count)) : bytes
        self.bytes = bytes
        // LF, CR LF and CR end a line, as for the compiler.
        lineStarts =
            [0]
            + bytes.indices.filter { place in
                bytes[place] == UInt8(ascii: "\n")
                    || bytes[place] == UInt8(ascii: "\r")
                        && !(place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "\n"))
            }.map { $0 + 1 }
    }

    /// Returns the line of a byte, from 1.
    func line(of place: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while low < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func text(_ token: SourceToken) -> String { text(token.range) }

    /// Returns true if a token is this ASCII text, without creating a string.
    func matches(_ token: SourceToken, _ text: StaticString) -> Bool {
        guard token.range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes[token.range].elementsEqual($0) }
    }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}
