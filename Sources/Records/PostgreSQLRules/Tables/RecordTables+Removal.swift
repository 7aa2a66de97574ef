import RecordStorage

extension RecordTables {
    /// The statements that remove a kind with all its records, for stores that a trial made.
    package var removal: [ServerStatement] {
        [
            ServerStatement("DROP VIEW IF EXISTS \(view)", isRepeated: false),
            ServerStatement("DROP TABLE IF EXISTS \(table)", isRepeated: false),
            ServerStatement("DROP TABLE IF EXISTS \(files)", isRepeated: false),
            ServerStatement(
                "DELETE FROM watchlink_writers WHERE kind = $1", [.text(kind.plural)], isRepeated: false),
            ServerStatement("DELETE FROM watchlink_schema WHERE kind = $1", [.text(kind.plural)], isRepeated: false),
        ]
    }
}
