import VirtualTime

/// The standard error of all programs, ordered by time, without everything that differs from seed to seed: times,
/// numbers, values.
struct EventSequence {
    let events: [String]

    private typealias Word = ArraySlice<UInt8>

    private static let (newline, space) = (UInt8(ascii: "\n"), UInt8(ascii: " "))
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    // As bytes: each seed has thousands of lines, and characters take twenty times as long.
    init(_ performance: Performance) {
        var lines: [(time: Word, text: String)] = []
        for process in performance.processes {
            var time: Word = []
            for line in process.errors.split(separator: Self.newline) {
                let words = line.split(separator: Self.space)
                // A line without a time belongs to the previous line.
                if let first = words.first, Self.isTime(first) { time = first }
                var text = Array(process.name.utf8)
                for word in words where !Self.differs(word) {
                    text.append(Self.space)
                    text += word
                }
                lines.append((time, String(decoding: text, as: UTF8.self)))
            }
        }
        // The lines of a moment stay in their order: sorting is stable.
        events = lines.sorted { $0.time.lexicographicallyPrecedes($1.time) }.map(\.text)
    }

    /// Returns true for a word with a number or a value.
    private static func differs(_ word: Word) -> Bool {
        word.contains { $0 == UInt8(ascii: "=") || digits.contains($0) }
    }

    /// Returns true for a log's time, such as “2030-01-01T00:46:08.415001Z”. Such times can be compared as text.
    private static func isTime(_ word: Word) -> Bool {
        word.count == 27 && word.last == UInt8(ascii: "Z") && word[word.startIndex + 10] == UInt8(ascii: "T")
    }
}
