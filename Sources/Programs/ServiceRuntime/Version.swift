import Configuration

/// The version of this build.
public enum Version {
    /// The semantic version.
    public static let number = "0.2.0"
    /// The commit it was built from; “unknown” outside a git checkout.
    public static let commit = BuildInformation.commit
    /// True if the working tree differed from that commit.
    public static let isDirty = BuildInformation.isDirty

    /// Returns the output of `--version`: one line, or one JSON value.
    ///
    /// - Parameter sqlite: The version of the SQLite library, for a program that uses it.
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
