public import Configuration
public import Files
import Foundation
import Glibc
import LinkTransport

/// A client that sends requests to a service over its control socket, and waits for the answers.
public final class ControlClient {
    /// The reason why a request has no result.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// Nothing listens at the path: the service is not running.
        case notRunning(path: String)
        /// A service listens but does not respond: it is stopped, or hangs.
        case notAnswering(path: String, process: Int32?)
        /// The service is alive, but did not answer in time.
        case late(after: Duration)
        /// A service may be running, but this user may not use it.
        case notAllowed(String)
        /// The connection failed.
        case connection(SystemError)
        /// The service's answer is invalid.
        case protocolViolation(String)
        /// The service answered with an error.
        case refused(ControlError)

        public var description: String {
            switch self {
            case .notRunning(let path): "no service listens at \(path)"
            case .notAnswering(let path, let process):
                "does not answer (stopped? frozen?): \(process.map { "process \($0)" } ?? "a process") listens at \(path)"
            case .late(let span): "the service is alive, but has not answered for \(span.components.seconds) s"
            case .notAllowed(let reason): "not allowed: \(reason)"
            case .connection(let error): "\(error)"
            case .protocolViolation(let detail): "the service's answer is unreadable: \(detail)"
            case .refused(let error): error.message
            }
        }
    }

    /// The time within which a live service must respond. 2 s: a wait that a person accepts; a live service answers a
    /// ping within milliseconds, whatever else it does.
    private static let patience: Duration = .seconds(2)

    private let path: String
    private let timeout: Duration?
    private let stream: BlockingStream
    private var lastIdentifier: Int64 = 0
    /// True while a ping waits for its answer.
    private var isPinged = false

    /// Connects to a service.
    ///
    /// - Parameters:
    ///   - path: The path of the control socket.
    ///   - timeout: The time that an answer may take while the service is alive; nil waits without limit.
    /// - Throws: ``Failure`` if the connection fails.
    public init(path: String, timeout: Duration? = .seconds(30)) throws(Failure) {
        self.path = path
        self.timeout = timeout
        do {
            stream = try BlockingStream(connectingTo: path, timeout: Self.patience)
        } catch {
            switch error.code {
            case ENOENT, ECONNREFUSED: throw .notRunning(path: path)
            case EACCES, EPERM: throw .notAllowed("\(path): \(OperatorGroup.refusal.message)")
            default: throw .connection(error)
            }
        }
    }

    /// The listening process; nil if the system does not report it.
    private var process: Int32? {
        do throws(SystemError) { return try stream.peer() } catch { return nil }
    }

    /// Calls a method of the service, and returns its result.
    ///
    /// - Throws: ``Failure`` if there is no result.
    public func call(_ method: String, _ params: JSONValue = .object([:])) throws(Failure) -> JSONValue {
        try result(of: begin(method, params))
    }

    /// A request that was sent. The results of several are read in their order.
    package struct Begun {
        fileprivate let identifier: Int64
        /// The error of the write if the service has closed the connection.
        fileprivate let unsent: SystemError?
    }

    /// Sends a request, so that the service works on it while the caller does something else.
    package func begin(_ method: String, _ params: JSONValue) throws(Failure) -> Begun {
        lastIdentifier += 1
        let request = ControlRequest(id: lastIdentifier, method: method, params: params)
        return try failing { Begun(identifier: lastIdentifier, unsent: try transmit(request)) }
    }

    /// Waits for the result of a request, the first that was sent of those without one.
    package func result(of begun: Begun) throws(Failure) -> JSONValue {
        let response = try failing {
            // A service that rejects a client sends the reason before it closes, and no longer reads.
            do { return try answer(to: begun.identifier) } catch { throw begun.unsent ?? error }
        }
        if let error = response.error {
            throw error.code == ControlError.notAllowed ? .notAllowed(error.message) : .refused(error)
        }
        return response.result ?? .null
    }

    private func failing<Result>(_ body: () throws -> Result) throws(Failure) -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            throw error.code == EAGAIN ? .notAnswering(path: path, process: process) : .connection(error)
        } catch let error as Failure {
            throw error
        } catch {
            throw .protocolViolation("\(error)")
        }
    }

    /// - Returns: The error of the write if the service has closed the connection.
    private func transmit(_ request: ControlRequest) throws -> SystemError? {
        do {
            try ping()
            try write(request)
            return nil
        } catch let error as SystemError where error.code == EPIPE || error.code == ECONNRESET {
            return error
        }
    }

    private func write(_ request: ControlRequest) throws {
        try stream.write(try request.line())
    }

    private func ping() throws {
        guard !isPinged else { return }
        try write(.ping)
        isPinged = true
    }

    /// Returns the answer to a request. Answers to pings only prove that the service is alive, and those to earlier requests
    /// came too late.
    private func answer(to identifier: Int64) throws -> ControlResponse {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            guard let line = try nextLine(before: deadline) else {
                throw Failure.protocolViolation("the connection was closed")
            }
            let response = try ControlResponse(line: line)
            if response.id == ControlRequest.ping.id {
                isPinged = false
            } else if case .integer(let number) = response.id, (1..<identifier).contains(number) {
                continue
            } else {
                return response
            }
        }
    }

    private func nextLine(before deadline: ContinuousClock.Instant?) throws -> Data? {
        while true {
            do throws(SystemError) {
                return try stream.readLine()
            } catch {
                // No bytes arrived for 2 s. A ping distinguishes a working service from a hanging one.
                guard error.code == EAGAIN, !isPinged else { throw error }
                if let deadline, let timeout, deadline <= .now { throw Failure.late(after: timeout) }
                try ping()
            }
        }
    }
}
