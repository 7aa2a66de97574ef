public import Configuration

/// A setting with its effective value, and where that came from.
public struct Setting: Sendable, Equatable {
    public enum Source: Sendable, Equatable, CustomStringConvertible {
        case builtIn
        case file(path: String, line: Int)
        case environment(name: String)
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

    /// As in the file, joined by dots.
    public let key: String
    public let value: JSONValue
    public let source: Source

    public init(_ key: String, _ value: JSONValue, _ source: Source) {
        self.key = key
        self.value = value
        self.source = source
    }
}
