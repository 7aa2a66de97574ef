/// What is wrong with a configuration file, and where.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    public let file: String
    /// Counted from 1; nil if no line is at fault.
    public let line: Int?
    /// Counted from 1; nil if the whole line, or none, is at fault.
    public let column: Int?
    /// The keys that lead to the value, joined by dots; empty for the file itself.
    public let key: String
    public let reason: String

    package init(file: String, line: Int? = nil, column: Int? = nil, key: String, reason: String) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.reason = reason
    }

    public var description: String {
        let place = [file, line.map { "\($0)" }, column.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
        return key.isEmpty ? "\(place): \(reason)" : "\(place): \(key): \(reason)"
    }
}
