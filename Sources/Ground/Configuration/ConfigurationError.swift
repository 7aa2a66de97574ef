/// An error in a configuration file, with its location.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path of the file, or “defaults”.
    public let file: String
    /// The line, counted from 1; nil if the error is not in a line.
    public let line: Int?
    /// The column, counted from 1; nil if the error concerns the whole line or no line.
    public let column: Int?
    /// The keys that lead to the value, joined by dots; empty for an error of the whole file.
    public let key: String
    /// The problem and the allowed values, as a predicate of the key: “must be true or false, not “1””.
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
