/// Suggests the word that a user probably meant.
package enum NearestWord {
    /// Returns the candidate with the fewest edits, if it is near enough to be a typing error.
    package static func of(_ word: String, among candidates: [String]) -> String? {
        let best = candidates.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
        guard let best, best.1 <= max(1, word.count / 3) else { return nil }
        return best.0
    }

    /// Returns the suggestion as the end of an error text; empty if no candidate is near.
    package static func hint(_ word: String, among candidates: [String]) -> String {
        of(word, among: candidates).map { "; did you mean “\($0)”?" } ?? ""
    }

    /// Returns the optimal string alignment distance: insertions, deletions, substitutions and transpositions.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var (former, row) = ([Int](), Array(0...right.count))
        for i in left.indices {
            var next = [i + 1]
            for j in right.indices {
                var cost = min(row[j] + (left[i] == right[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, former[j - 1] + 1)
                }
                next.append(cost)
            }
            (former, row) = (row, next)
        }
        return row[right.count]
    }
}
