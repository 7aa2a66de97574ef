public import Configuration
import Foundation

/// The answer to a request: a result or an error.
public struct ControlResponse: Codable, Sendable, Equatable {
    /// The JSON-RPC version, “2.0”.
    public let jsonrpc: String
    /// The identifier of the request; null if it had none or could not be read.
    public let id: JSONValue
    /// The result of the method; nil if it failed.
    public let result: JSONValue?
    /// The error; nil if the method succeeded.
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

    /// Returns the line for the control socket, with its end.
    ///
    /// - Throws: `EncodingError` for a number that JSON does not have.
    func line() throws -> Data {
        var fields: [String: JSONValue] = ["jsonrpc": .string(jsonrpc), "id": id]
        fields["result"] = result
        fields["error"] = error.map { ["code": .integer(Int64($0.code)), "message": .string($0.message)] }
        return try JSONValue.object(fields).line()
    }

    /// Reads a line of the control socket.
    ///
    /// - Throws: `DecodingError`.
    init(line: Data) throws {
        // As a rule the answer is a success, which is read faster in this way.
        guard case .object(let fields) = try JSONValue(json: line),
            fields["jsonrpc"] == .string(ControlRequest.version),
            let id = fields["id"], let result = fields["result"], result != .null, fields["error"] == nil
        else {
            self = try JSONDecoder().decode(ControlResponse.self, from: line)
            return
        }
        self.init(id: id, .success(result))
    }
}
