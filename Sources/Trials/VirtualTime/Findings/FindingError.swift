/// A file that could not be written or read as a finding.
public struct FindingError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Error, Equatable, Sendable {
        case unwritable(String)
        case unreadable(String)
        case tooLarge
        /// The file is of another version of the format.
        case format(Int)
        case checksum
        case damaged(String)
    }

    public let path: String
    public let reason: Reason

    init(_ path: String, _ reason: Reason) { (self.path, self.reason) = (path, reason) }

    public var description: String {
        switch reason {
        case .unwritable(let detail): "cannot write \(path): \(detail)"
        case .unreadable(let detail): "cannot read \(path): \(detail)"
        case .tooLarge: "\(path) has more than \(Finding.mostBytes) bytes: no finding has; is it the right file?"
        case .format(let given):
            "\(path) is of format \(given), and this program reads format \(FindingFormat.current): "
                + "use the program that wrote it"
        case .checksum:
            "\(path) was changed since it was written: its checksum is another; take it from where it was written, "
                + "or explore the seed again"
        case .damaged(let detail): "\(path) is no finding, or is damaged: \(detail)"
        }
    }
}
