/// What is wrong with a configuration file, and where.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    public let file: String
    /// Counted from 1; nil if no line is at fault.
    public let line: Int?
    /// The keys that lead to the value, joined by dots; empty for the file itself.
    public let key: String
    public let reason: String

    public var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return key.isEmpty ? "\(place): \(reason)" : "\(place): \(key): \(reason)"
    }
}
