/// A change of a source that keeps its lines.
struct SourceEdit {
    let range: Range<Int>
    /// The new text on the first line of the range; the rest becomes spaces.
    var replacement = ""

    /// Returns a source with changes. A change inside a larger one has no effect.
    static func apply(_ edits: [SourceEdit], to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = 0
        let ordered = edits.sorted {
            ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
        }
        for edit in ordered where edit.range.lowerBound >= place {
            result += bytes[place..<edit.range.lowerBound]
            result += edit.replacement.utf8
            // Spaces keep the columns of what follows on the last line.
            let shown = edit.range.lowerBound + edit.replacement.utf8.count
            for (offset, byte) in zip(edit.range, bytes[edit.range]) {
                if SourceText.isLineEnd(byte) {
                    result.append(byte)
                } else if offset >= shown {
                    result.append(UInt8(ascii: " "))
                }
            }
            place = edit.range.upperBound
        }
        return result + bytes[place...]
    }
}
