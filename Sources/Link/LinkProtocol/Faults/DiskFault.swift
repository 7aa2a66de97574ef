/// A disk failure on demand: databases of a directory, and incoming files, get the real result codes.
public enum DiskFault: String, CaseIterable, Sendable {
    /// The disk works.
    case none
    /// No space is left.
    case full
    /// Writes and syncs fail.
    case error
    /// The file system is read-only.
    case readOnly = "read-only"
}
