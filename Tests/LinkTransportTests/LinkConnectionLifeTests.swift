import CLinux
import Dispatch
import EventLog
import Files
import Foundation
import Glibc
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Lives of link connections")
struct LinkConnectionLifeTests {
    /// A connection that is not opened yet, on a loop of its own, and a peer that speaks in bytes.
    private final class Host: Sendable {
        let loop: EventLoop
        let peer: RawSocket
        let connection: LinkConnection
        let greetings = HelloBudget(limit: 1_000)
        let events = Collector<String>()
        let log = Collector<LogRecord>()

        init(_ times: LinkTimes = LinkTimes()) throws {
            peer = try RawSocket()
            loop = try EventLoop(name: "host")
            connection = LinkConnection(
                loop: loop, descriptor: Descriptor(peer.other), number: 1, role: .host, times: times,
                conditioner: LinkConditioner(loop: loop, LinkCondition(), seed: 1, logger: .silent),
                templates: PackageTemplates(), greetings: greetings, memory: PieceBudget(),
                logger: collectingLogger(log))
        }

        /// Opens the connection.
        ///
        /// - Parameter task: Done on the loop with each event, after it has been noted.
        func open(_ task: @escaping @Sendable (String) -> Void = { _ in }) throws {
            try loop.perform { [connection, events] in
                try connection.open(as: Hello(device: LinkConnectionLifeTests.host)) { event in
                    let name = LinkConnectionLifeTests.name(event)
                    events.add(name)
                    task(name)
                }
            }
        }

        func frame() throws -> WireHost.Frame {
            let header = try peer.hear(4)
            let length = header.dropFirst().reduce(0) { $0 << 8 | Int($1) }
            return WireHost.Frame(top: header.first ?? .max, body: try peer.hear(length))
        }

        deinit { loop.stopLater() }
    }

    /// The size of an object on the heap, in bytes.
    private static func size(_ object: AnyObject) -> Int {
        malloc_usable_size(Unmanaged.passUnretained(object).toOpaque())
    }

    @Test("A connection that is not conditioned takes less than a kilobyte, as a phone may have thousands")
    func size() throws {
        let host = try Host()
        let connection = Self.size(host.connection)
        #expect(connection < 512, "the connection takes \(connection) bytes")
        let channel = StreamChannel(
            loop: host.loop, descriptor: Descriptor(try RawSocket().other), maximumQueuedBytes: 0)
        let conditioned = ConditionedChannel(
            loop: host.loop, channel: channel, LinkCondition(), Chance(seed: 1), onBytes: { _ in })
        let sizes = (Self.size(channel), Self.size(conditioned))
        #expect(connection + sizes.0 + sizes.1 < 1_024, "\(connection) and \(sizes) bytes")
    }

    private static let host = Device(identifier: UUID(), role: .host, name: "h")
    private static let companion = Device(identifier: UUID(), role: .companion, name: "c")

    private static func name(_ event: LinkConnection.Event) -> String {
        switch event {
        case .established: "established"
        case .package: "package"
        case .delivering: "delivering"
        case .closed: "closed"
        }
    }

    private static func hello() throws -> [UInt8] {
        try [UInt8](PackageCodec.frame(Hello(device: companion).package(identifier: UUID(), timestamp: Date())))
    }

    private static func state() throws -> [UInt8] {
        try [UInt8](
            PackageCodec.frame(
                MessagePackage(identifier: UUID(), command: .state, status: .sent, timestamp: Date())))
    }

    /// Times of which only those that are given can pass.
    private static func times(
        heartbeat: Duration = .seconds(3_600), silence: Duration = .seconds(3_600)
    ) -> LinkTimes {
        var times = LinkTimes()
        times.hello = .seconds(3_600)
        times.heartbeat = heartbeat
        times.silence = silence
        return times
    }

    private static let short = Duration.milliseconds(500)

    /// Lets more than the short time pass at the end of a turn, so that the next one finds everything that comes
    /// meanwhile, and then whatever is due.
    ///
    /// - Parameters:
    ///   - first: Done before the time passes.
    ///   - last: Done when everything that was due has been done.
    private static func pass(
        _ loop: EventLoop, _ first: @escaping @Sendable () -> Void, last: @escaping @Sendable () -> Void
    ) {
        loop.atEndOfTurn {
            first()
            usleep(550_000)
            _ = loop.schedule(at: .now) { last() }
        }
    }

    @Test(
        "The alarm is set for the next deadline, whether it is much later or earlier than the last one",
        arguments: [Duration.seconds(7_200), .seconds(100)])
    func alarm(_ heartbeat: Duration) throws {
        var times = Self.times(heartbeat: heartbeat, silence: .seconds(36_000))
        times.hello = .seconds(3_600)
        let host = try Host(times)
        let (loop, established) = (host.loop, Collector<Bool>())
        let start = MonotonicTime.now
        try host.open { _ in established.add(true) }
        _ = try host.frame()
        // The alarm is set at the end of a turn.
        func alarm() throws -> Double? {
            try loop.perform {}
            return try loop.perform { loop.alarmTime?.seconds(since: start) }
        }
        let before = try alarm()
        #expect(before.map { abs($0 - 3_600) < 60 } == true, "\(before ?? -1) s")
        host.peer.say(try Self.hello())
        established.expect { !$0.isEmpty }
        let after = try alarm()
        #expect(after.map { abs($0 / heartbeat.inSeconds - 1.05) < 0.05 } == true, "\(after ?? -1) s")
    }

    enum Sign: CaseIterable {
        case acknowledgement
        case piece
        case package

        func bytes() throws -> [UInt8] {
            switch self {
            case .acknowledgement: Acknowledgement(end: 0, arrival: MonotonicTime(nanoseconds: 0)).frame
            case .piece:
                PieceHeader(stream: 0, length: 100, offset: 0).frame(count: 10, wantsAcknowledgement: false)
                    + [UInt8](repeating: 7, count: 10)
            case .package: try LinkConnectionLifeTests.state()
            }
        }
    }

    @Test("An acknowledgement, a piece of a package and a package are signs of life", arguments: Sign.allCases)
    func signs(_ sign: Sign) throws {
        let host = try Host(Self.times(silence: Self.short))
        let (loop, peer, connection, done) = (host.loop, host.peer, host.connection, Collector<Bool>())
        let bytes = try sign.bytes()
        try host.open { name in
            guard name == "established" else { return }
            Self.pass(loop) {
                peer.say(bytes)
            } last: {
                connection.close("done")
                done.add(true)
            }
        }
        try host.peer.say(Self.hello())
        done.expect { !$0.isEmpty }
        let misbehaved = host.log.all.filter { $0.event == .peerMisbehaved }.map(\.fields)
        #expect(misbehaved == [])
    }

    @Test("The silence of a peer that is not read from does not count, neither then nor afterwards")
    func paused() throws {
        let host = try Host(Self.times(silence: Self.short))
        let (loop, connection, done) = (host.loop, host.connection, Collector<Bool>())
        try host.open { name in
            guard name == "established" else { return }
            Self.pass(loop) {
                connection.setReading(false)
            } last: {
                connection.setReading(true)
                connection.close("done")
                done.add(true)
            }
        }
        try host.peer.say(Self.hello())
        done.expect { !$0.isEmpty }
        let misbehaved = host.log.all.filter { $0.event == .peerMisbehaved }.map(\.fields)
        #expect(misbehaved == [])
    }

    @Test("Whatever is sent stands for a heartbeat")
    func noHeartbeat() throws {
        let host = try Host(Self.times(heartbeat: Self.short))
        let (loop, peer, connection) = (host.loop, host.peer, host.connection)
        var bytes = try Self.state()
        bytes[0] |= 0x80
        let question = bytes
        try host.open { name in
            guard name == "established" else { return }
            Self.pass(loop) {
                peer.say(question)
            } last: {
                connection.close("done")
            }
        }
        try host.peer.say(Self.hello())
        // The hello, the acknowledgement and the goodbye.
        let tops = try (0..<3).map { _ in try host.frame().top }
        #expect(tops == [0, 2, 0])
        let heard = try peer.hear(1)
        #expect(heard == [])
    }

    @Test("A side that stops reading at a package hears the next one of the same bytes only when it reads again")
    func pauses() throws {
        let host = try Host()
        let connection = host.connection
        try host.open { name in
            if name == "package" { connection.setReading(false) }
        }
        let package = try Self.state()
        try host.peer.say(Self.hello() + package + package)
        host.events.expect { $0.count >= 2 }
        let early = try host.loop.perform { [events = host.events] in events.all }
        #expect(early == ["established", "package"])
        try host.loop.perform { connection.setReading(true) }
        let later = host.events.all
        #expect(later == ["established", "package", "package"])
    }

    @Test("A hello that cannot be sent is an error and nothing else")
    func unsentHello() throws {
        let host = try Host()
        let hello = Hello(device: Self.host, pairingCode: String(repeating: "7", count: LinkLimits.frameBytes))
        let (loop, connection, events) = (host.loop, host.connection, host.events)
        #expect(throws: LinkSendError.self) {
            try loop.perform { try connection.open(as: hello) { events.add(Self.name($0)) } }
        }
        let heard = try host.peer.hear(1)
        #expect(heard == [])
        let told = host.events.all
        #expect(told == [])
        let logged = host.log.all.map(\.event)
        #expect(logged == [])
    }

    @Test(
        "What was kept of a hello does not count any more when the hello is complete, nor when its connection ends",
        arguments: [false, true])
    func greetings(_ isCompleted: Bool) throws {
        let host = try Host()
        let (loop, greetings) = (host.loop, host.greetings)
        try host.open()
        let hello = try Self.hello()
        host.peer.say(Array(hello.prefix(100)))
        try loop.perform {}
        let early = try loop.perform { [greetings.keep(901, for: 2), greetings.keep(900, for: 2)] }
        #expect(early == [false, true])
        try loop.perform { greetings.forget(2) }
        if isCompleted {
            host.peer.say(Array(hello.dropFirst(100)))
        } else {
            host.peer.leave()
        }
        host.events.expect { $0 == [isCompleted ? "established" : "closed"] }
        let later = try loop.perform { greetings.keep(1_000, for: 3) }
        #expect(later)
    }

    @Test("A connection that has ended is let go of, however it ended", arguments: [false, true])
    func letsGo(_ isOutOfRange: Bool) throws {
        let gone = DispatchSemaphore(value: 0)
        let loop = try EventLoop(name: "host")
        defer { loop.stopLater() }
        let peer = try RawSocket()
        let events = Collector<String>()
        try Self.open(loop, peer, Canary(gone), events, isOutOfRange: isOutOfRange)
        try peer.say(Self.hello())
        if !isOutOfRange {
            for count in 1...3 {
                events.expect { $0.count == count }
                try peer.say(Self.state())
            }
            events.expect { $0.count == 4 }
            peer.leave()
        }
        events.expect { $0.last == "closed" }
        #expect(gone.wait(timeout: .now() + .seconds(30)) == .success)
        withExtendedLifetime(peer) {}
    }

    /// Opens a connection that only its loop and its events hold.
    private static func open(
        _ loop: EventLoop, _ peer: RawSocket, _ canary: Canary, _ events: Collector<String>, isOutOfRange: Bool
    ) throws {
        try loop.perform {
            let conditioner = LinkConditioner(loop: loop, LinkCondition(), seed: 1, logger: .silent)
            var away = LinkCondition()
            away.refuses = true
            if isOutOfRange { conditioner.set(away, for: Self.companion.identifier) }
            let connection = LinkConnection(
                loop: loop, descriptor: Descriptor(peer.other), number: 1, role: .host, times: Self.times(),
                conditioner: conditioner, templates: PackageTemplates(), greetings: HelloBudget(),
                memory: PieceBudget(),
                logger: Logger(service: "test", minimumLevel: .debug) { _ in withExtendedLifetime(canary) {} })
            try connection.open(as: Hello(device: Self.host)) { event in
                events.add(Self.name(event))
                if case .established = event { connection.conditionChanged() }
            }
        }
    }
}
