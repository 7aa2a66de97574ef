/// Finds what a person probably meant.
public enum NearestWord {
    /// The candidate that takes the fewest changes, if it is near enough to be a slip.
    public static func of(_ word: String, among candidates: [String]) -> String? {
        let best = candidates.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
        guard let best, best.1 <= max(1, word.count / 3) else { return nil }
        return best.0
    }

    /// Insertions, removals and replacements from one word to the other (Levenshtein).
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (i, character) in left.enumerated() {
            var previous = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = previous + (character == other ? 0 : 1)
                previous = row[j + 1]
                row[j + 1] = min(replaced, previous + 1, row[j] + 1)
            }
        }
        return row[right.count]
    }
}
