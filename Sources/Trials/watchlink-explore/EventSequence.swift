import VirtualTime

/// The standard error of all programs, ordered by time, without everything that differs from seed to seed: times,
/// numbers, values.
struct EventSequence {
    let events: [String]

    init(_ performance: Performance) {
        var lines: [(time: Substring, text: String)] = []
        for process in performance.processes {
            var time: Substring = ""
            for line in String(decoding: process.errors, as: UTF8.self).split(separator: "\n") {
                let words = line.split(separator: " ")
                // A line without a time belongs to the previous line.
                if let first = words.first, Self.isTime(first) { time = first }
                let kept = words.filter { !$0.contains("=") && !$0.contains(where: \.isNumber) }
                lines.append((time, ([Substring(process.name)] + kept).joined(separator: " ")))
            }
        }
        events = lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element.text)
    }

    /// Returns true for a log's time, such as “2030-01-01T00:46:08.415001Z”. Such times can be compared as text.
    private static func isTime(_ word: Substring) -> Bool {
        word.utf8.count == 27 && word.hasSuffix("Z") && word.dropFirst(10).first == "T"
    }
}
