import Configuration
import ControlSocket
import EventLog
import Foundation
import QuizSync
import RecordStorage
import ServiceRuntime
import Services

/// The host's records, reached through the host while it is running, else directly if they are quizzes: only the host's
/// own program knows the types of other payloads.
struct HostDatabase {
    /// A request that was sent, whose result can be waited for.
    typealias Begun = () throws -> JSONValue

    private let begun: (_ method: String, _ params: JSONValue) throws -> Begun

    init(running client: ControlClient) {
        func answering<Result>(_ body: () throws(ControlClient.Failure) -> Result) throws -> Result {
            do throws(ControlClient.Failure) {
                return try body()
            } catch {
                throw CommandError(error, service: "host")
            }
        }
        begun = { method, params in
            let request = try answering { () throws(ControlClient.Failure) in try client.begin(method, params) }
            return { try answering { () throws(ControlClient.Failure) in try client.result(of: request) } }
        }
    }

    /// Opens the quizzes of a host that is not running.
    init(quizzesAt path: String) throws {
        let store = try SQLiteRecordStore(kind: .quizzes, path: path)
        let methods = RecordMethods(of: .quizzes, store: store, maintenance: store, logger: .silent, isAlone: true)
        begun = { method, params in
            {
                switch methods.answer(method, params) ?? .failure(.unknown(method: method)) {
                case .success(let value): return value
                case .failure(let error): throw CommandError(.refused(error), service: "host")
                }
            }
        }
    }

    /// Sends one request, and waits for its result.
    func callAsFunction(_ method: String, _ params: JSONValue) throws -> JSONValue { try begun(method, params)() }

    /// Sends one request: the host works on it until the result is asked for. Those of several are asked for in their order.
    func begin(_ method: String, _ params: JSONValue) throws -> Begun { try begun(method, params) }

    /// Returns the quizzes' database.
    static func quizzes(_ invocation: Invocation) throws -> HostDatabase {
        do throws(ControlClient.Failure) {
            return HostDatabase(running: try invocation.host())
        } catch {
            let path = invocation.state.database(of: "host")
            guard case .notRunning = error, FileManager.default.fileExists(atPath: path) else {
                throw CommandError(error, service: "host")
            }
            return try HostDatabase(quizzesAt: path)
        }
    }

    /// Connects to the running host, and returns its applications.
    static func running(_ invocation: Invocation) throws -> (HostDatabase, [ApplicationDescription]) {
        do throws(ControlClient.Failure) {
            let client = try invocation.host()
            let applications = try client.call("applications").array ?? []
            return (HostDatabase(running: client), applications.compactMap(ApplicationDescription.init))
        } catch {
            throw CommandError(error, service: "host")
        }
    }
}
