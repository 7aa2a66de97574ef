public import Configuration

/// A setting with its effective value and source.
public struct Setting: Sendable, Equatable {
    /// The source of a value.
    public enum Source: Sendable, Equatable, CustomStringConvertible {
        /// The default.
        case builtIn
        /// A line of the configuration file.
        case file(path: String, line: Int)
        /// An environment variable.
        case environment(name: String)
        /// A command-line option, without dashes.
        case option(name: String)

        public var description: String {
            switch self {
            case .builtIn: "default"
            case .file(let path, let line): "\(path):\(line)"
            case .environment(let name): "$\(name)"
            case .option(let name): "--\(name)"
            }
        }
    }

    /// The keys of the configuration file, joined by dots.
    public let key: String
    /// The effective value.
    public let value: JSONValue
    /// The source of the value.
    public let source: Source

    /// Creates a setting.
    public init(_ key: String, _ value: JSONValue, _ source: Source) {
        self.key = key
        self.value = value
        self.source = source
    }
}
