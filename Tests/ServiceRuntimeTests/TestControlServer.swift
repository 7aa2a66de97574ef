import Configuration
import EventLog
import Files
import Foundation
import Glibc
import LinkTransport
import Locking
import TestSupport
import Testing

@testable import ControlSocket
@testable import ServiceRuntime

/// A control server with a few methods, and what it logs.
final class TestControlServer {
    private let scratch: Scratch
    private let server: ControlServer
    /// Requests of the method “hold”.
    let held = Collector<ControlServer.Respond>()
    private let isReleased = SharedFlag()
    let log = Collector<LogRecord>()
    var path: String { scratch.path("control.sock") }

    init() async throws {
        scratch = try Scratch()
        let (held, isReleased, log) = (held, isReleased, log)
        server = ControlServer(
            loop: try EventLoop(name: "test"), path: scratch.path("control.sock"),
            logger: Logger(service: "test") { log.add($0) }
        ) { method, params, respond in
            switch method {
            case "echo": respond(.success(params))
            case "fail": respond(.failure(ControlError(ControlError.refused, "no")))
            case "never": break
            case "hold":
                if isReleased.isSet { respond(.success(.null)) } else { held.add(respond) }
            default: respond(.failure(ControlError(ControlError.methodNotFound, "what?")))
            }
        }
        let error: (any Error)? = await withCheckedContinuation { continuation in
            server.start { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    /// Answers the requests that are held, and from now on each at once.
    func release() {
        isReleased.set()
        for respond in held.all { respond(.success(.null)) }
    }

    func client() throws -> ControlClient { try ControlClient(path: path) }

    func connect() throws -> BlockingStream { try BlockingStream(connectingTo: path, timeout: .seconds(30)) }

    /// Sends bytes, and reads what comes for them until the connection ends, or so many answers are there.
    func answers(_ bytes: [UInt8], _ count: Int = .max) throws -> [ControlResponse] {
        let stream = try connect()
        do throws(SystemError) {
            try stream.write(Data(bytes))
        } catch {
            // A server that has turned a client away reads no more; what it said is still to be read.
            #expect(error.code == EPIPE || error.code == ECONNRESET, "\(error)")
        }
        var answers: [ControlResponse] = []
        while answers.count < count, let line = try lineOrEnd(of: stream) {
            answers.append(try JSONDecoder().decode(ControlResponse.self, from: line))
        }
        return answers
    }

    /// Nil at the end, also of a connection that is closed with bytes unread.
    private func lineOrEnd(of stream: BlockingStream) throws -> Data? {
        do throws(SystemError) {
            return try stream.readLine()
        } catch {
            guard error.code == ECONNRESET else { throw error }
            return nil
        }
    }
}
