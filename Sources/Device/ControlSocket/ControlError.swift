/// The reason why a request failed. The first four codes are those of JSON-RPC 2.0.
public struct ControlError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
    /// The request is not valid JSON.
    public static let parseError = -32700
    /// The request is not valid JSON-RPC.
    public static let invalidRequest = -32600
    /// The method does not exist.
    public static let methodNotFound = -32601
    /// The parameters are invalid.
    public static let invalidParams = -32602
    /// The requested item does not exist.
    public static let notFound = 1
    /// The input is refused permanently.
    public static let refused = 2
    /// The request cannot be served now, for example because a database is unavailable.
    public static let unavailable = 3
    /// The client lacks the permission.
    public static let notAllowed = 4

    /// The JSON-RPC error code.
    public let code: Int
    /// A description for people.
    public let message: String

    /// Creates an error with a code and a message.
    public init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Returns the error for an unknown method.
    public static func unknown(method: String) -> ControlError {
        ControlError(methodNotFound, "unknown method “\(method)”")
    }

    public var description: String { message }
}
