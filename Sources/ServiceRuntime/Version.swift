/// What this program is.
public enum Version {
    public static let number = "0.1.0"
    /// The commit that was built; “unknown” outside of git.
    public static let commit = BuildInformation.commit
    /// Whether the files that were built differ from the commit.
    public static let isDirty = BuildInformation.isDirty

    /// One line, as `--version` prints it.
    public static func line(_ program: String) -> String {
        "\(program) \(number) (commit \(commit.prefix(12))\(isDirty ? ", with changes" : ""))"
    }
}
