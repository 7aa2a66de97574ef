/// The error for a file that could not be written or read as a finding.
public struct FindingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason a file could not be written or read.
    public enum Reason: Error, Equatable, Sendable {
        /// Writing failed, with this detail.
        case unwritable(String)
        /// Reading failed, with this detail.
        case unreadable(String)
        /// The file is larger than ``Finding/mostBytes``.
        case tooLarge
        /// The file has this other version of the format.
        case format(Int)
        /// The checksum does not match the contents.
        case checksum
        /// The contents are not a finding, with this detail.
        case damaged(String)
    }

    /// The path of the file.
    public let path: String
    /// The reason.
    public let reason: Reason

    init(_ path: String, _ reason: Reason) { (self.path, self.reason) = (path, reason) }

    public var description: String {
        switch reason {
        case .unwritable(let detail): "cannot write \(path): \(detail)"
        case .unreadable(let detail): "cannot read \(path): \(detail)"
        case .tooLarge: "\(path) exceeds \(Finding.mostBytes) bytes, the limit for a finding; is it the right file?"
        case .format(let given):
            "\(path) has format \(given), but this program reads format \(FindingFormat.current): "
                + "use the program that wrote it"
        case .checksum:
            "\(path) was changed after it was written: its checksum does not match; copy the original again, "
                + "or explore the seed again"
        case .damaged(let detail): "\(path) is not a finding, or is damaged: \(detail)"
        }
    }
}
