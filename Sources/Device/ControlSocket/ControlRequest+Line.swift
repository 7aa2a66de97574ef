import Configuration
import Foundation

extension ControlRequest {
    /// The error for a line that is not a valid request.
    struct Unreadable: Error {
        /// The request's identifier, if it could be read.
        let id: JSONValue?
        let error: ControlError
    }

    /// Returns the line for the control socket, with its end.
    ///
    /// - Throws: `EncodingError` for a number that JSON does not have.
    func line() throws -> Data {
        var fields: [String: JSONValue] = ["jsonrpc": .string(jsonrpc), "method": .string(method)]
        fields["id"] = id
        fields["params"] = params
        return try JSONValue.object(fields).line()
    }

    /// Reads a line of the control socket.
    init(line: Data) throws(Unreadable) {
        let value: JSONValue
        do {
            try RequestExtent.check(line)
            value = try JSONValue(json: line)
        } catch let error as ControlError {
            throw Unreadable(id: nil, error: error)
        } catch {
            throw Unreadable(id: nil, error: ControlError(ControlError.parseError, Self.trouble(error, line)))
        }
        guard case .object(let fields) = value else {
            let reason = "a request must be an object { … }, not \(value.brief)"
            throw Unreadable(id: nil, error: ControlError(ControlError.invalidRequest, reason))
        }
        try self.init(fields)
    }

    private init(_ fields: [String: JSONValue]) throws(Unreadable) {
        let id: JSONValue? =
            switch fields["id"] {
            case nil, .null, .boolean, .array, .object: nil
            case .string, .integer, .number: fields["id"]
            }
        func wrong(_ key: String, _ allowed: String) -> Unreadable {
            let given = fields[key].map { "not \($0.brief)" } ?? "and is missing"
            return Unreadable(
                id: id, error: ControlError(ControlError.invalidRequest, "“\(key)” must be \(allowed), \(given)"))
        }
        guard id != nil || fields["id"] == nil || fields["id"] == .null else {
            throw wrong("id", "a string or a number")
        }
        guard let version = fields["jsonrpc"]?.string, version == Self.version else {
            throw wrong("jsonrpc", "“\(Self.version)”")
        }
        guard let method = fields["method"]?.string else { throw wrong("method", "a string") }
        self.init(id: id, method: method, params: fields["params"])
    }

    /// The number of bytes of a line that an error message considers. 256: more than it shows.
    private static let shownBytes = 256

    private static func trouble(_ error: any Error, _ line: Data) -> String {
        guard let error = error as? DecodingError, !error.key.isEmpty else {
            return
                "a request must be JSON, not \(JSONValue.string(String(decoding: line.prefix(shownBytes), as: UTF8.self)).brief)"
        }
        return "“\(error.key)”: \(error.detail)"
    }
}
