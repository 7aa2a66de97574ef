/// What the disk does to the databases of a directory, on demand: the real code then meets the real result codes.
public enum DiskFault: String, CaseIterable, Sendable {
    case none
    /// No space is left.
    case full
    /// Writing and syncing fail.
    case error
    /// The file system has become read-only.
    case readOnly = "read-only"
}
