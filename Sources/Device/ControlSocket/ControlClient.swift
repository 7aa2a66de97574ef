public import Configuration
public import Files
import Foundation
import Glibc
import LinkTransport

/// Asks a service over its control socket, and waits for the answer.
public final class ControlClient {
    /// Why there is no answer.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// Nobody listens: the service does not run.
        case notRunning(path: String)
        /// A service listens and gives no sign of life: it is stopped, or hangs.
        case notAnswering(path: String, process: Int32?)
        /// The service lives, and has not answered in time.
        case late(after: Duration)
        /// A service may well run, and this user may not ask it.
        case notAllowed(String)
        case connection(SystemError)
        case protocolViolation(String)
        /// The service's own answer.
        case refused(ControlError)

        public var description: String {
            switch self {
            case .notRunning(let path): "no service listens at \(path)"
            case .notAnswering(let path, let process):
                "does not answer (stopped? frozen?): \(process.map { "process \($0)" } ?? "a process") listens at \(path)"
            case .late(let span): "it is alive, and has not answered for \(span.components.seconds) s"
            case .notAllowed(let reason): "not allowed: \(reason)"
            case .connection(let error): "\(error)"
            case .protocolViolation(let detail): "the service's answer is unreadable: \(detail)"
            case .refused(let error): error.message
            }
        }
    }

    /// How long a service may give no sign of life. 2 s: what a person waits without wondering; a service that lives answers a
    /// ping within milliseconds, whatever else it does.
    private static let patience: Duration = .seconds(2)

    private let path: String
    private let timeout: Duration?
    private let stream: BlockingStream
    private var lastIdentifier: Int64 = 0
    /// Whether a ping waits for its answer.
    private var isPinged = false

    /// - Parameter timeout: How long an answer may take while the service lives; nil waits for ever.
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

    /// The process that listens; nil if the system does not say it.
    private var process: Int32? {
        do throws(SystemError) { return try stream.peer() } catch { return nil }
    }

    public func call(_ method: String, _ params: JSONValue = .object([:])) throws(Failure) -> JSONValue {
        lastIdentifier += 1
        let request = ControlRequest(id: lastIdentifier, method: method, params: params)
        let response: ControlResponse
        do {
            let unsent = try transmit(request)
            // A service that lets somebody go says why before it closes, and does not read what they ask.
            do { response = try answer() } catch { throw unsent ?? error }
        } catch let error as SystemError {
            throw error.code == EAGAIN ? .notAnswering(path: path, process: process) : .connection(error)
        } catch let error as Failure {
            throw error
        } catch {
            throw .protocolViolation("\(error)")
        }
        if let error = response.error {
            throw error.code == ControlError.notAllowed ? .notAllowed(error.message) : .refused(error)
        }
        return response.result ?? .null
    }

    /// - Returns: Why the service did not take the request, if it has closed.
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
        try stream.write(try JSONEncoder().encode(request) + [UInt8(ascii: "\n")])
    }

    private func ping() throws {
        guard !isPinged else { return }
        try write(.ping)
        isPinged = true
    }

    /// The answer to the last request; those to pings are signs of life.
    private func answer() throws -> ControlResponse {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            guard let line = try nextLine(before: deadline) else {
                throw Failure.protocolViolation("it closed the connection")
            }
            let response = try JSONDecoder().decode(ControlResponse.self, from: line)
            guard response.id == ControlRequest.ping.id else { return response }
            isPinged = false
        }
    }

    private func nextLine(before deadline: ContinuousClock.Instant?) throws -> Data? {
        while true {
            do throws(SystemError) {
                return try stream.readLine()
            } catch {
                // Nothing came for as long as our patience is. A ping tells a service that works from one that does not.
                guard error.code == EAGAIN, !isPinged else { throw error }
                if let deadline, let timeout, deadline <= .now { throw Failure.late(after: timeout) }
                try ping()
            }
        }
    }
}
