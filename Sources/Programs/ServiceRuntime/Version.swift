import Configuration

/// What this program is.
public enum Version {
    public static let number = "0.1.0"
    /// The commit that was built; “unknown” outside of git.
    public static let commit = BuildInformation.commit
    /// Whether the files that were built differ from the commit.
    public static let isDirty = BuildInformation.isDirty

    /// What `--version` prints: one line, or one JSON value.
    ///
    /// - Parameter sqlite: The version of SQLite's library, for a program that uses it.
    package static func text(_ program: String, sqlite: String? = nil, asJSON: Bool) throws -> String {
        guard !asJSON else {
            let value: JSONValue = [
                "program": .string(program), "version": .string(number), "commit": .string(commit),
                "changed": .boolean(isDirty), "swift": .string(BuildInformation.swift),
                "sqlite": sqlite.map { .string($0) } ?? .null,
            ]
            return try value.text(pretty: true)
        }
        return "\(program) \(number) (commit \(commit.prefix(12))\(isDirty ? ", with changes" : "")), "
            + "Swift \(BuildInformation.swift)" + (sqlite.map { ", SQLite \($0)" } ?? "")
    }
}
