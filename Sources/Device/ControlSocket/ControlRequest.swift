public import Configuration

/// One request on the control socket: JSON-RPC 2.0, one object a line.
public struct ControlRequest: Encodable, Sendable, Equatable {
    public let jsonrpc: String
    public let id: JSONValue?
    public let method: String
    public let params: JSONValue?

    /// A request that a service answers at once, whatever else it does: a sign of life.
    static let ping = ControlRequest(id: .string(pingMethod), method: pingMethod, params: nil)
    static let pingMethod = "ping"
    /// The only version of JSON-RPC that is spoken.
    static let version = "2.0"

    init(id: JSONValue?, method: String, params: JSONValue?) {
        jsonrpc = Self.version
        self.id = id
        self.method = method
        self.params = params
    }

    public init(id: Int64, method: String, params: JSONValue) {
        self.init(id: .integer(id), method: method, params: params)
    }
}
