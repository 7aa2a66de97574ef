/// A disk that fails on demand: the databases of a directory, and the files that come in, meet the real result codes.
public enum DiskFault: String, CaseIterable, Sendable {
    case none
    /// No space is left.
    case full
    /// Writing and syncing fail.
    case error
    /// The file system has become read-only.
    case readOnly = "read-only"
}
