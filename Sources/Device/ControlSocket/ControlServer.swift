public import Configuration
public import EventLog
import Files
import Foundation
public import LinkTransport

/// A server that answers a service's operators over a Unix socket: its owner, root, and the operators' group.
// Proof of `@unchecked Sendable`: mutable state is used on the loop's thread only; every method first moves there.
public final class ControlServer: @unchecked Sendable {
    /// Sends the answer to a request. Call it once, from any thread.
    public typealias Respond = @Sendable (Result<JSONValue, ControlError>) -> Void
    /// Handles a request. Called on a separate queue, so that a slow database delays other requests only.
    public typealias Handler = @Sendable (_ method: String, _ params: JSONValue, _ respond: @escaping Respond) -> Void

    /// The maximum size of a request. 16 MiB: 250 payloads of the largest size.
    private static let requestBytes = 16 * 1024 * 1024
    /// The maximum size of all clients' incomplete requests. 32 MiB: two of the largest.
    static let unfinishedBytes = 32 * 1024 * 1024
    /// The maximum size of the answers that one client has not read. 64 MiB: the longest line that the client accepts.
    private static let responseBytes = 64 * 1024 * 1024
    /// The maximum number of clients. 64: a person and a few scripts.
    private static let maximumClients = 64

    /// The number of invalid lines after which a client is disconnected. 16: a person makes a few mistakes; more means
    /// that this is not a client.
    static let unreadableLines = 16

    /// The maximum number of one client's requests in flight; later ones wait unread. 1,024: a client that waits for so
    /// many answers does so over one connection.
    static let requestsUnderWay = 1_024

    private struct Client {
        let channel: StreamChannel
        var lines = LineBuffer(maximumBytes: requestBytes)
        /// The connection closes when the last answer is written; input is dropped.
        var isTurnedAway = false
        /// The number of invalid lines.
        var unreadable = 0
        /// The number of requests in flight.
        var unanswered = 0
        /// True once the client has sent its last request, as “nc -N” does, and only waits for answers.
        var hasEnded = false
    }

    private let loop: EventLoop
    private let logger: Logger
    private let handler: Handler
    private let queue = DispatchQueue(label: "watchlink.control")
    private let path: String
    private let access: AccessRule
    private var listener: SocketListener?
    private var clients: [UInt64: Client] = [:]
    private var lastClient: UInt64 = 0
    private var trimRule = TrimRule(least: unfinishedBytes / 8)

    /// Creates a server for the socket at `path`; it listens once ``start(_:)`` is called.
    public convenience init(loop: EventLoop, path: String, logger: Logger, handler: @escaping Handler) {
        self.init(loop: loop, path: path, access: OperatorGroup.access, logger: logger, handler: handler)
    }

    package init(loop: EventLoop, path: String, access: AccessRule, logger: Logger, handler: @escaping Handler) {
        self.loop = loop
        self.path = path
        self.access = access
        self.logger = logger
        self.handler = handler
    }

    /// Starts listening. `completion` is called on the loop, with the error on failure.
    public func start(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        loop.execute { [self] in
            do {
                let listener = try SocketListener(
                    loop: loop, path: path, access: access, logger: logger,
                    farewell: try Self.line(nil, .failure(OperatorGroup.refusal)).get()
                ) { [weak self] (descriptor: consuming Descriptor) in self?.accept(descriptor) }
                try listener.start()
                self.listener = listener
                logger.log(.controlListening, [.path(path)])
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    /// Stops listening, and closes the connections after pending answers are written. `completion` is called on the
    /// loop.
    public func stop(_ completion: @escaping @Sendable () -> Void) {
        loop.execute { [self] in
            listener?.stop()
            for client in clients.values { client.channel.closeAfterWriting("the service is stopping") }
            loop.atEndOfTurn(completion)
        }
    }

    private func accept(_ descriptor: consuming Descriptor) {
        guard clients.count < Self.maximumClients else {
            return logger.log(.controlRequestRefused, [.reason("more than \(Self.maximumClients) clients")])
        }
        lastClient += 1
        let number = lastClient
        let channel = StreamChannel(loop: loop, descriptor: descriptor, maximumQueuedBytes: Self.responseBytes)
        clients[number] = Client(channel: channel)
        do {
            try channel.open(
                onBytes: { [weak self] in self?.received($0, from: number) },
                onEnd: { [weak self] in self?.ended(number) },
                onClose: { [weak self] _ in self?.closed(number) })
        } catch {
            clients[number] = nil
            logger.log(.acceptFailed, [.path(path), .error(error)])
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer, from number: UInt64) {
        guard clients[number]?.isTurnedAway == false else { return }
        clients[number]?.lines.append(bytes)
        handleLines(of: number)
        if countUnfinished() > Self.unfinishedBytes {
            turnAway(number, "the incomplete requests of all clients exceed \(Self.unfinishedBytes) bytes")
        }
    }

    /// Handles the complete lines, and pauses reading while too many requests are in flight.
    private func handleLines(of number: UInt64) {
        do {
            while let client = clients[number], client.unanswered < Self.requestsUnderWay,
                let line = try clients[number]?.lines.nextLine()
            {
                handle(line, from: number)
            }
        } catch {
            return turnAway(number, "a request may have at most \(Self.requestBytes) bytes")
        }
        guard let client = clients[number], !client.hasEnded else { return }
        client.channel.setReading(client.unanswered < Self.requestsUnderWay)
    }

    /// Answers with an error and closes the connection.
    private func turnAway(_ number: UInt64, _ reason: String) {
        logger.log(.controlRequestRefused, [.reason(reason)])
        respond(nil, .failure(ControlError(ControlError.invalidRequest, reason)), to: number)
        clients[number]?.isTurnedAway = true
        clients[number]?.lines = LineBuffer(maximumBytes: 0)
        clients[number]?.channel.closeAfterWriting(reason)
        countUnfinished()
    }

    private func ended(_ number: UInt64) {
        clients[number]?.hasEnded = true
        closeIfAnswered(number)
    }

    /// Closes a connection whose client has ended and received all answers.
    private func closeIfAnswered(_ number: UInt64) {
        guard let client = clients[number], client.hasEnded, client.unanswered == 0 else { return }
        client.channel.closeAfterWriting("the client has its answers")
    }

    private func closed(_ number: UInt64) {
        clients[number] = nil
        countUnfinished()
    }

    @discardableResult
    private func countUnfinished() -> Int {
        let bytes = clients.values.reduce(0) { $0 + $1.lines.pendingBytes }
        if trimRule.changed(to: bytes) { loop.returnMemory() }
        return bytes
    }

    private func handle(_ line: Data, from number: UInt64) {
        let request: ControlRequest
        do {
            request = try ControlRequest(line: line)
        } catch {
            return refuse(error, from: number)
        }
        // Not on the queue, where a long request may be running.
        guard request.method != ControlRequest.pingMethod else {
            return respond(request.id, .success(.null), to: number)
        }
        logger.log(.controlRequest, [.method(request.method)])
        clients[number]?.unanswered += 1
        let respond: Respond = { [self] result in
            // Encoded here, where a long answer does not delay others.
            let line = Self.line(request.id, result)
            loop.execute { [self] in
                send(line, to: number)
                clients[number]?.unanswered -= 1
                handleLines(of: number)
                closeIfAnswered(number)
            }
        }
        queue.async { [handler] in handler(request.method, request.params ?? .object([:]), respond) }
    }

    /// Answers an invalid line. Only a client's first invalid line is logged.
    private func refuse(_ unreadable: ControlRequest.Unreadable, from number: UInt64) {
        let count = (clients[number]?.unreadable ?? 0) + 1
        clients[number]?.unreadable = count
        if count == 1 { logger.log(.controlRequestRefused, [.reason(unreadable.error.message)]) }
        respond(unreadable.id, .failure(unreadable.error), to: number)
        if count == Self.unreadableLines { turnAway(number, "\(count) lines were not valid requests") }
    }

    private func respond(_ id: JSONValue?, _ result: Result<JSONValue, ControlError>, to number: UInt64) {
        send(Self.line(id, result), to: number)
    }

    private func send(_ line: Result<Data, any Error>, to number: UInt64) {
        guard let channel = clients[number]?.channel else { return }
        do {
            guard try line.get().withUnsafeBytes({ channel.write($0) }) else {
                return channel.close(.byThisSide("the client stopped reading"))
            }
        } catch {
            logger.log(.controlRequestRefused, [.error(error)])
            channel.close(.byThisSide("\(error)"))
        }
    }

    private static func line(_ id: JSONValue?, _ result: Result<JSONValue, ControlError>) -> Result<Data, any Error> {
        Result { try ControlResponse(id: id, result).line() }
    }
}
