public import Configuration

/// Its answer: a result or an error.
public struct ControlResponse: Codable, Sendable, Equatable {
    public let jsonrpc: String
    public let id: JSONValue
    public let result: JSONValue?
    public let error: ControlError?

    init(id: JSONValue?, _ result: Result<JSONValue, ControlError>) {
        jsonrpc = ControlRequest.version
        self.id = id ?? .null
        switch result {
        case .success(let value):
            self.result = value
            error = nil
        case .failure(let failure):
            self.result = nil
            error = failure
        }
    }
}
