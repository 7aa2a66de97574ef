public import Configuration

/// A request on the control socket: JSON-RPC 2.0, one object per line.
public struct ControlRequest: Encodable, Sendable, Equatable {
    /// The JSON-RPC version, “2.0”.
    public let jsonrpc: String
    /// The identifier that the answer repeats; nil if the request has none.
    public let id: JSONValue?
    /// The name of the method.
    public let method: String
    /// The parameters; nil if there are none.
    public let params: JSONValue?

    /// A request that a service answers immediately, whatever else it does, to prove that it is alive.
    static let ping = ControlRequest(id: .string(pingMethod), method: pingMethod, params: nil)
    static let pingMethod = "ping"
    /// The only supported version of JSON-RPC.
    static let version = "2.0"

    init(id: JSONValue?, method: String, params: JSONValue?) {
        jsonrpc = Self.version
        self.id = id
        self.method = method
        self.params = params
    }

    /// Creates a request.
    public init(id: Int64, method: String, params: JSONValue) {
        self.init(id: .integer(id), method: method, params: params)
    }
}
