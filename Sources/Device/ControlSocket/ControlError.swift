/// Why a request failed. The first four codes are JSON-RPC's.
public struct ControlError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
    public static let parseError = -32700
    public static let invalidRequest = -32600
    public static let methodNotFound = -32601
    public static let invalidParams = -32602
    /// What was asked for does not exist.
    public static let notFound = 1
    /// What was given is refused for good.
    public static let refused = 2
    /// It cannot be done now: a database is not available.
    public static let unavailable = 3
    /// Whoever asks may not.
    public static let notAllowed = 4

    public let code: Int
    public let message: String

    public init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    /// A service does not know a method.
    public static func unknown(method: String) -> ControlError {
        ControlError(methodNotFound, "there is no method “\(method)”")
    }

    public var description: String { message }
}
