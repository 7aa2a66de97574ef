import Foundation
import Glibc
public import LinkTransport

/// Asks a service over its control socket, and waits for the answer.
public final class ControlClient {
    /// Why there is no answer.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// Nobody listens: the service does not run.
        case notRunning(path: String)
        case connection(SystemError)
        case protocolViolation(String)
        /// The service's own answer.
        case refused(ControlError)

        public var description: String {
            switch self {
            case .notRunning(let path): "no service listens at \(path)"
            case .connection(let error): "\(error)"
            case .protocolViolation(let detail): "the service's answer is unreadable: \(detail)"
            case .refused(let error): error.message
            }
        }
    }

    private let stream: BlockingStream
    private var lastIdentifier: Int64 = 0

    /// - Parameter timeout: How long an answer may take; nil waits for ever.
    public init(path: String, timeout: Duration? = .seconds(30)) throws(Failure) {
        do {
            stream = try BlockingStream(connectingTo: path, timeout: timeout)
        } catch {
            throw error.code == ENOENT || error.code == ECONNREFUSED ? .notRunning(path: path) : .connection(error)
        }
    }

    public func call(_ method: String, _ params: JSONValue = .object([:])) throws(Failure) -> JSONValue {
        lastIdentifier += 1
        let request = ControlRequest(id: lastIdentifier, method: method, params: params)
        let response: ControlResponse
        do {
            try stream.write(try JSONEncoder().encode(request) + [UInt8(ascii: "\n")])
            guard let line = try stream.readLine() else { throw Failure.protocolViolation("it closed the connection") }
            response = try JSONDecoder().decode(ControlResponse.self, from: line)
        } catch let error as SystemError {
            throw .connection(error)
        } catch let error as Failure {
            throw error
        } catch {
            throw .protocolViolation("\(error)")
        }
        if let error = response.error { throw .refused(error) }
        return response.result ?? .null
    }
}
