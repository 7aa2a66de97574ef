package import RecordStorage

extension RecordColumn {
    /// The name as in documents: “endedAt” for “ended_at”.
    package var fieldName: String {
        let words = name.split(separator: "_")
        return words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    }
}
