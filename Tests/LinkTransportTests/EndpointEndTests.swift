import Dispatch
import EventLog
import Files
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Ends of endpoints and listeners")
struct EndpointEndTests {
    /// Lives as long as the suite's instance, which each test has for itself.
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.path("link.sock")
    }

    private static func logger(_ owner: Canary) -> Logger {
        Logger(service: "test", minimumLevel: .debug) { _ in withExtendedLifetime(owner) {} }
    }

    private static func conditioner(_ loop: EventLoop) -> LinkConditioner {
        LinkConditioner(loop: loop, LinkCondition(), seed: 1, logger: .silent)
    }

    private static func listener(
        _ loop: EventLoop, _ path: String, _ logger: Logger, name: String = "h"
    ) -> LinkListener {
        LinkListener(
            loop: loop, path: path, device: Device(identifier: UUID(), role: .host, name: name), access: .owner,
            times: LinkTimes(), conditioner: conditioner(loop), logger: logger)
    }

    private static func connector(
        _ loop: EventLoop, _ path: String, _ logger: Logger, pairingCode: String? = nil
    ) -> LinkConnector {
        LinkConnector(
            loop: loop, path: path, device: Device(identifier: UUID(), role: .companion, name: "c"),
            pairingCode: pairingCode, times: LinkTimes(),
            backoff: Backoff(initial: .seconds(3_600), maximum: .seconds(3_600)), conditioner: conditioner(loop),
            logger: logger)
    }

    /// Starts an endpoint and stops it again.
    private static func startAndStop(_ loop: EventLoop, _ endpoint: any LinkEndpoint) throws {
        let done = Collector<Bool>()
        try loop.perform { try endpoint.start { _ in } }
        try loop.perform { endpoint.stop("end") { done.add(true) } }
        let isDone = done.all
        #expect(isDone == [true])
    }

    @Test("A stopped endpoint is let go of, on either side", arguments: [false, true])
    func letsGo(_ isHost: Bool) throws {
        let gone = DispatchSemaphore(value: 0)
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        if isHost {
            try Self.startAndStop(loop, Self.listener(loop, path, Self.logger(Canary(gone))))
        } else {
            // It waits for its next attempt, as there is no host.
            try Self.startAndStop(loop, Self.connector(loop, path, Self.logger(Canary(gone))))
        }
        #expect(gone.wait(timeout: .now() + .seconds(30)) == .success)
    }

    @Test("A listener that was renewed and stopped is let go of")
    func letsGoRenewed() throws {
        let gone = DispatchSemaphore(value: 0)
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        try Self.renewAndStop(loop, path, Canary(gone))
        #expect(gone.wait(timeout: .now() + .seconds(30)) == .success)
    }

    private static func renewAndStop(_ loop: EventLoop, _ path: String, _ owner: Canary) throws {
        let accepted = Collector<Bool>()
        let listener = try SocketListener(loop: loop, path: path, access: .owner, logger: logger(owner)) {
            (descriptor: consuming Descriptor) in accepted.add(descriptor.number >= 0)
        }
        try FileManager.default.removeItem(atPath: path)
        try loop.perform { try listener.start() }
        let isRenewed = FileManager.default.fileExists(atPath: path)
        #expect(isRenewed)
        try loop.perform { listener.stop() }
    }

    @Test("A host that cannot say its hello closes each connection, and has none left when it stops")
    func unsaidByHost() throws {
        let log = Collector<LogRecord>()
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let name = String(repeating: "h", count: LinkLimits.frameBytes)
        let listener = Self.listener(loop, path, collectingLogger(log), name: name)
        let events = Collector<Bool>()
        try loop.perform { try listener.start { _ in events.add(true) } }
        let client = try BlockingStream(connectingTo: path, timeout: .seconds(20))
        let line = try client.readLine()
        #expect(line == nil)
        log.expect { $0.contains { $0.event == .acceptFailed } }
        let logged = log.all.map(\.event)
        #expect(logged == [.linkListening, .acceptFailed])
        let first = try #require(log.all.last?.fields.first)
        #expect(first == .connection(1))
        let done = Collector<Bool>()
        try loop.perform { listener.stop("end") { done.add(true) } }
        let isDone = done.all
        #expect(isDone == [true])
        let told = events.all
        #expect(told == [])
    }

    @Test("A companion that cannot say its hello tells why, and has no connection left when it stops")
    func unsaidByCompanion() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let host = try UnixSocket.listen(at: path, mode: 0o600)
        let code = String(repeating: "7", count: LinkLimits.frameBytes)
        let connector = Self.connector(loop, path, .silent, pairingCode: code)
        let reasons = Collector<String>()
        try loop.perform {
            connector.start { event in
                if case .unreachable(let reason) = event { reasons.add(reason) } else { reasons.add("another event") }
            }
        }
        let told = reasons.all
        #expect(told.count == 1)
        #expect(told.first?.hasPrefix("tooLong") == true)
        let done = Collector<Bool>()
        try loop.perform { connector.stop("end") { done.add(true) } }
        let isDone = done.all
        #expect(isDone == [true])
        #expect(host.number >= 0)
    }
}
