/// One request on the control socket: JSON-RPC 2.0, one object a line.
public struct ControlRequest: Codable, Sendable, Equatable {
    public let jsonrpc: String
    public let id: JSONValue?
    public let method: String
    public let params: JSONValue?

    /// A request that a service answers at once, whatever else it does: a sign of life.
    static let ping = ControlRequest(id: .string(pingMethod), method: pingMethod)
    static let pingMethod = "ping"

    private init(id: JSONValue, method: String) {
        jsonrpc = "2.0"
        self.id = id
        self.method = method
        params = nil
    }

    public init(id: Int64, method: String, params: JSONValue) {
        jsonrpc = "2.0"
        self.id = .integer(id)
        self.method = method
        self.params = params
    }
}
