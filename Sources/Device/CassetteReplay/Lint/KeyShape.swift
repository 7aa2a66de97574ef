/// The keys of a dictionary or object at a key path.
struct KeyShape: Hashable, Sendable {
    let path: String
    let keys: Set<String>
    /// The word that says what kind of content it is in, such as `kind=lap`; empty if none is shown.
    var word = ""

    /// The number of events, and how many of their messages were answered and how many were not, where a reply was awaited.
    struct Fate: Sendable {
        var seen: Seen
        var answered = 0
        var failed = 0

        func adding(_ other: Fate) -> Fate {
            var sum = self
            sum.seen.add(other.seen)
            sum.answered += other.answered
            sum.failed += other.failed
            return sum
        }
    }

    /// Returns the key path of a key.
    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// Returns the key that another shape of the same content lacks, and the one that it has in place of it; nil if the two
    /// differ by more, or have no more than half of their keys in common and no names that are alike: they are contents of
    /// different meaning then.
    func difference(from other: KeyShape) -> (missing: String, new: String?)? {
        guard path == other.path, word == other.word else { return nil }
        let (missing, new) = (keys.subtracting(other.keys), other.keys.subtracting(keys))
        let common = keys.count - missing.count
        guard let key = missing.first, missing.count == 1, new.count <= 1 else { return nil }
        let isAlike = new.first.map { KeyWords.areAlike(key, $0) } ?? false
        guard isAlike || common * 2 > other.keys.count else { return nil }
        return (key, new.first)
    }
}
