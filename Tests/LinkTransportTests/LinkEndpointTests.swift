import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Endpoints of the link")
struct LinkEndpointTests {
    /// A host's listener and a companion's connector, each on a loop of its own. The companion tries again after an
    /// hour unless told otherwise.
    private final class Ends: Sendable {
        let path: String
        let host = Device(identifier: UUID(), role: .host, name: "h")
        let companion = Device(identifier: UUID(), role: .companion, name: "c")
        let listener: LinkListener
        let connector: LinkConnector
        let heardByHost = Collector<String>()
        let heardByCompanion = Collector<String>()
        let hellos = Collector<[DeviceState]>()
        let hostLog = Collector<LogRecord>()
        let companionLog = Collector<LogRecord>()
        private let scratch: Scratch
        private let hostLoop: EventLoop
        private let companionLoop: EventLoop

        init(_ condition: LinkCondition = LinkCondition(), retry: Duration = .seconds(3_600)) throws {
            scratch = try Scratch()
            path = scratch.path("link.sock")
            hostLoop = try EventLoop(name: "host")
            companionLoop = try EventLoop(name: "companion")
            listener = LinkListener(
                loop: hostLoop, path: path, device: host, access: .owner, times: LinkTimes(),
                conditioner: LinkConditioner(loop: hostLoop, condition, seed: 1, logger: .silent),
                logger: collectingLogger(hostLog))
            connector = LinkConnector(
                loop: companionLoop, path: path, device: companion, pairingCode: nil, times: LinkTimes(),
                backoff: Backoff(initial: retry, maximum: retry),
                conditioner: LinkConditioner(loop: companionLoop, LinkCondition(), seed: 1, logger: .silent),
                logger: collectingLogger(companionLog))
        }

        private static func note(_ event: LinkEvent, _ heard: Collector<String>, _ hellos: Collector<[DeviceState]>) {
            switch event {
            case .connected(let hello, let said):
                hellos.add([hello.state, said])
                heard.add("connected")
            case .disconnected(_, let reason): heard.add("disconnected: \(reason)")
            case .unreachable(let reason): heard.add("unreachable: \(reason)")
            case .package(let package, _, _): heard.add(package.commandName)
            case .delivering: heard.add("delivering")
            }
        }

        func startHost() throws {
            try onHost { [heardByHost, hellos] listener in
                try listener.start { Self.note($0, heardByHost, hellos) }
            }
        }

        func startCompanion() throws {
            try onCompanion { [heardByCompanion, hellos] connector in
                connector.start { Self.note($0, heardByCompanion, hellos) }
            }
        }

        /// Starts both, and waits until they have met.
        func meet() throws {
            try startHost()
            try startCompanion()
            heardByHost.expect { $0 == ["connected"] }
            heardByCompanion.expect { $0 == ["connected"] }
        }

        func onHost<Value: Sendable>(_ task: @escaping @Sendable (LinkListener) throws -> Value) throws -> Value {
            try hostLoop.perform { [listener] in try task(listener) }
        }

        func onCompanion<Value: Sendable>(
            _ task: @escaping @Sendable (LinkConnector) throws -> Value
        ) throws -> Value {
            try companionLoop.perform { [connector] in try task(connector) }
        }

        /// Lets time pass on the companion's loop.
        func pass(_ time: Duration) {
            let passed = Collector<Bool>()
            companionLoop.execute { [companionLoop] in
                _ = companionLoop.schedule(at: .now + time) { passed.add(true) }
            }
            passed.expect { !$0.isEmpty }
        }

        /// Stops both, and waits until they have.
        func end() throws {
            let done = Collector<Bool>()
            try onCompanion { $0.stop("end") { done.add(true) } }
            try onHost { $0.stop("end") { done.add(true) } }
            done.expect { $0.count == 2 }
        }

        deinit {
            hostLoop.stopLater()
            companionLoop.stopLater()
        }
    }

    private static let away: LinkCondition = {
        var condition = LinkCondition()
        condition.refuses = true
        return condition
    }()

    private static func delayed(_ delay: Duration) -> LinkCondition {
        var condition = LinkCondition()
        condition.acceptDelay = delay
        return condition
    }

    @Test("Each side learns the other's state, and which of its own the other has learned")
    func states() throws {
        let ends = try Ends()
        var (locked, worn) = (DeviceState(), DeviceState())
        locked.isLocked = true
        worn.hasWorkout = true
        let (ofHost, ofCompanion) = (locked, worn)
        try ends.onHost { $0.setState(ofHost) }
        try ends.onCompanion { $0.setState(ofCompanion) }
        try ends.meet()
        let hellos = ends.hellos.all
        #expect(hellos.contains([ofHost, ofCompanion]))
        #expect(hellos.contains([ofCompanion, ofHost]))
        #expect(hellos.count == 2)
        try ends.end()
    }

    @Test("A host that takes the link down says so, answers nobody, and is found again when it is up")
    func hostDown() throws {
        let ends = try Ends(retry: .milliseconds(5))
        try ends.meet()
        try ends.onHost { $0.setUp(false) }
        ends.heardByCompanion.expect { $0.filter { $0 == "unreachable: closed by the peer" }.count >= 2 }
        let heard = ends.heardByHost.all
        #expect(heard == ["connected", "disconnected: the link is down"])
        let told = ends.heardByCompanion.all.prefix(3)
        #expect(told == ["connected", "disconnected: the link is down", "unreachable: the link is down"])
        try ends.onHost { $0.setUp(true) }
        ends.heardByHost.expect { $0.last == "connected" }
        try ends.end()
    }

    @Test("A companion that takes the link down says so, and connects at once when it is up")
    func companionDown() throws {
        let ends = try Ends()
        try ends.meet()
        try ends.onCompanion { $0.setUp(false) }
        ends.heardByCompanion.expect { $0.count == 3 }
        try ends.onCompanion { $0.setUp(false) }
        ends.heardByHost.expect { $0.count == 2 }
        try ends.onCompanion { $0.setUp(true) }
        try ends.onCompanion { $0.setUp(true) }
        ends.heardByCompanion.expect { $0.count == 4 }
        ends.heardByHost.expect { $0.count == 3 }
        let down = "disconnected: the link is down"
        let heard = ends.heardByHost.all
        #expect(heard == ["connected", down, "connected"])
        let told = ends.heardByCompanion.all
        #expect(told == ["connected", down, "unreachable: the link is down", "connected"])
        try ends.end()
    }

    @Test("A companion whose link is down for less than a turn of the loop connects again at once")
    func companionFlaps() throws {
        let ends = try Ends()
        try ends.meet()
        try ends.onCompanion {
            $0.setUp(false)
            $0.setUp(true)
        }
        ends.heardByHost.expect { $0.count == 3 }
        let heard = ends.heardByHost.all
        #expect(heard == ["connected", "disconnected: the link is down", "connected"])
        try ends.end()
    }

    @Test("A companion whose link is down when it starts tries nothing until it is up")
    func startsDown() throws {
        let ends = try Ends()
        try ends.startHost()
        try ends.onCompanion { $0.setUp(false) }
        try ends.startCompanion()
        let told = ends.heardByCompanion.all
        #expect(told == ["unreachable: the link is down"])
        try ends.onCompanion { $0.setUp(true) }
        ends.heardByCompanion.expect { $0.last == "connected" }
        try ends.end()
    }

    @Test("A companion out of range breaks off, and connects at once when it is back")
    func companionOutOfRange() throws {
        let ends = try Ends()
        try ends.meet()
        try ends.onCompanion { $0.conditioner.set(Self.away, for: nil) }
        ends.heardByHost.expect { $0.count == 2 }
        try ends.onCompanion { $0.conditioner.set(Self.away, for: nil) }
        let reason = "taken out of range by the link's condition"
        let told = ends.heardByCompanion.all
        #expect(told == ["connected", "disconnected: \(reason)", "unreachable: \(reason)"])
        try ends.onCompanion { $0.conditioner.set(LinkCondition(), for: nil) }
        ends.heardByCompanion.expect { $0.last == "connected" }
        ends.heardByHost.expect { $0.count == 3 }
        let heard = ends.heardByHost.all
        #expect(heard == ["connected", "disconnected: closed by the peer", "connected"])
        try ends.end()
    }

    @Test("A host out of range breaks off without a word")
    func hostOutOfRange() throws {
        let ends = try Ends()
        try ends.meet()
        try ends.onHost { $0.conditioner.set(Self.away, for: nil) }
        ends.heardByCompanion.expect { $0.count == 3 }
        let told = ends.heardByCompanion.all
        #expect(told == ["connected", "disconnected: closed by the peer", "unreachable: closed by the peer"])
        let heard = ends.heardByHost.all
        #expect(heard == ["connected", "disconnected: taken out of range by the link's condition"])
        try ends.end()
    }

    @Test("A host out of range answers no new connection")
    func refused() throws {
        let ends = try Ends(Self.away)
        try ends.startHost()
        try ends.startCompanion()
        ends.heardByCompanion.expect { !$0.isEmpty }
        let told = ends.heardByCompanion.all
        #expect(told == ["unreachable: closed by the peer"])
        let heard = ends.heardByHost.all
        #expect(heard == [])
        try ends.end()
    }

    @Test("A device that is out of range alone is not connected, as far as the host is concerned")
    func deviceOutOfRange() throws {
        let ends = try Ends()
        let device = ends.companion.identifier
        try ends.onHost { $0.conditioner.set(Self.away, for: device) }
        try ends.startHost()
        try ends.startCompanion()
        ends.heardByCompanion.expect { $0.last == "unreachable: closed by the peer" }
        let heard = ends.heardByHost.all
        #expect(heard == [])
        try ends.end()
    }

    @Test("A delayed connection is served after its delay")
    func acceptDelay() throws {
        let ends = try Ends(Self.delayed(.milliseconds(1)))
        try ends.meet()
        try ends.end()
    }

    @Test("A stop does not wait for delayed connections, nor for a companion that never met its host")
    func stopWhileDelayed() throws {
        let ends = try Ends(Self.delayed(.seconds(3_600)))
        try ends.startHost()
        let client = try BlockingStream(connectingTo: ends.path, timeout: nil)
        try ends.onHost { _ in }
        try ends.end()
        let heard = ends.heardByHost.all + ends.heardByCompanion.all
        #expect(heard == [])
        withExtendedLifetime(client) {}
    }

    @Test("Only a connected device is disconnected, and told why: by the host")
    func hostDisconnects() throws {
        let ends = try Ends()
        try ends.meet()
        let device = ends.companion.identifier
        try ends.onHost { listener in
            listener.disconnect(UUID(), "wrong")
            listener.disconnect(device, "right")
        }
        ends.heardByCompanion.expect { $0.count == 3 }
        let told = ends.heardByCompanion.all
        #expect(told == ["connected", "disconnected: right", "unreachable: right"])
        try ends.end()
    }

    @Test("Only a connected device is disconnected, and told why: by the companion")
    func companionDisconnects() throws {
        let ends = try Ends()
        try ends.meet()
        let device = ends.host.identifier
        try ends.onCompanion { connector in
            connector.disconnect(UUID(), "wrong")
            connector.disconnect(device, "right")
        }
        ends.heardByHost.expect { $0.count == 2 }
        let heard = ends.heardByHost.all
        #expect(heard == ["connected", "disconnected: right"])
        try ends.end()
    }

    @Test("Nothing is sent to a device that is not connected")
    func unknownDevice() throws {
        let ends = try Ends()
        let package = LinkTests.message()
        let host = ends.host.identifier
        #expect(throws: LinkSendError.notConnected) { try ends.onCompanion { try $0.send(package, to: host) } }
        try ends.meet()
        #expect(throws: LinkSendError.notConnected) { try ends.onHost { try $0.send(package, to: UUID()) } }
        #expect(throws: LinkSendError.notConnected) { try ends.onCompanion { try $0.send(package, to: UUID()) } }
        try ends.end()
        let heard = ends.heardByHost.all.filter { $0 == package.commandName }
        #expect(heard == [])
    }

    @Test("A package that is too long for a frame is refused, and the connection lives on")
    func tooLong() throws {
        let ends = try Ends()
        try ends.meet()
        let (host, companion) = (ends.host.identifier, ends.companion.identifier)
        let package = LinkTests.message(LinkLimits.frameBytes)
        var reason: ProtocolError?
        do throws(ProtocolError) {
            _ = try PackageCodec.frame(package)
        } catch {
            reason = error
        }
        let tooLong = try #require(reason)
        let error = LinkSendError.tooLong(tooLong)
        #expect(throws: error) { try ends.onHost { try $0.send(package, to: companion) } }
        #expect(throws: error) { try ends.onCompanion { try $0.send(package, to: host) } }
        try ends.onHost { try $0.send(LinkTests.message(), to: companion) }
        ends.heardByCompanion.expect { $0 == ["connected", "SendMessageData"] }
        try ends.end()
    }

    @Test("Reading pauses for the device that is named, on either side")
    func reading() throws {
        let ends = try Ends()
        try ends.meet()
        let (host, companion) = (ends.host.identifier, ends.companion.identifier)
        try ends.onHost { listener in
            listener.setReading(false, from: UUID())
            listener.setReading(false, from: companion)
        }
        try ends.onCompanion { connector in
            connector.setReading(false, from: UUID())
            try connector.send(LinkTests.message(), to: host)
        }
        try ends.onHost { listener in try listener.send(LinkTests.message(), to: companion) }
        ends.heardByCompanion.expect { $0 == ["connected", "SendMessageData"] }
        try ends.onHost { _ in }
        let early = ends.heardByHost.all
        #expect(early == ["connected"])
        try ends.onHost { $0.setReading(true, from: companion) }
        ends.heardByHost.expect { $0 == ["connected", "SendMessageData"] }
        try ends.end()
    }

    @Test("A host that is absent is logged once, and again when the reason is another")
    func absent() throws {
        let ends = try Ends(retry: .milliseconds(1))
        try ends.startCompanion()
        ends.heardByCompanion.expect { $0.count >= 3 }
        try Data().write(to: URL(filePath: ends.path))
        ends.heardByCompanion.expect { $0.last == "unreachable: connect to \(ends.path): Connection refused" }
        // The log is written after the listener was told.
        ends.companionLog.expect { $0.count >= 2 }
        let fields = ends.companionLog.all.map { Array($0.fields.prefix(2)) }
        let reasons = ["No such file or directory", "Connection refused"]
        let expected: [[LogField]] = reasons.map { [.path(ends.path), .reason("connect to \(ends.path): \($0)")] }
        #expect(fields == expected)
        try ends.end()
    }

    @Test("Connections and their ends are logged with the device, and the reason")
    func logged() throws {
        let ends = try Ends()
        try ends.meet()
        let (host, companion) = (ends.host.identifier, ends.companion.identifier)
        try ends.onHost { $0.disconnect(companion, "enough") }
        ends.heardByCompanion.expect { $0.count == 3 }
        ends.heardByHost.expect { $0.count == 2 }
        let events: Set<LogEvent> = [.linkListening, .peerConnected, .peerDisconnected]
        let ofHost = ends.hostLog.all.filter { events.contains($0.event) }.map(\.fields)
        #expect(
            ofHost == [
                [.path(ends.path)], [.device(companion), .role("companion"), .connection(1)],
                [.device(companion), .connection(1), .reason("enough")],
            ])
        let ofCompanion = ends.companionLog.all.filter { events.contains($0.event) }.map(\.fields)
        #expect(
            ofCompanion == [
                [.device(host), .role("host"), .connection(1)], [.device(host), .connection(1), .reason("enough")],
            ])
        try ends.end()
    }

    @Test("An attempt that is made at once replaces the one that was waited for")
    func attempt() throws {
        let ends = try Ends(retry: .milliseconds(50))
        try ends.startHost()
        try ends.onCompanion { $0.setUp(false) }
        try ends.startCompanion()
        try ends.onCompanion { $0.setUp(true) }
        ends.heardByCompanion.expect { $0.last == "connected" }
        ends.pass(.milliseconds(100))
        let last = ends.heardByCompanion.all.last
        #expect(last == "connected")
        try ends.end()
    }

    @Test("A companion that is stopped makes no more attempts, neither after a connection nor while it waits")
    func stopped() throws {
        for isConnected in [true, false] {
            let ends = try Ends(retry: .milliseconds(20))
            if isConnected { try ends.meet() } else { try ends.startCompanion() }
            try ends.onCompanion { $0.stop("end") {} }
            ends.pass(.milliseconds(100))
            let told = ends.heardByCompanion.all
            let reason = isConnected ? "end" : "connect to \(ends.path): No such file or directory"
            #expect(told.last == "unreachable: \(reason)")
            #expect(told.filter { $0 == "connected" }.count == (isConnected ? 1 : 0))
            try ends.onHost { $0.stop("end") {} }
        }
    }

    @Test("A companion that is out of range when it starts tries nothing until it is back")
    func startsOutOfRange() throws {
        let ends = try Ends()
        try ends.startHost()
        try ends.onCompanion { $0.conditioner.set(Self.away, for: nil) }
        try ends.startCompanion()
        let told = ends.heardByCompanion.all
        #expect(told == ["unreachable: the link is down"])
        let heard = ends.heardByHost.all
        #expect(heard == [])
        try ends.onCompanion { $0.conditioner.set(LinkCondition(), for: nil) }
        ends.heardByCompanion.expect { $0.last == "connected" }
        try ends.end()
    }

    @Test("A link that is up already stays as it is, and no attempt is made before its time")
    func upAlready() throws {
        let absent = try Ends()
        try absent.startCompanion()
        try absent.onCompanion { $0.setUp(true) }
        let told = absent.heardByCompanion.all.count
        #expect(told == 1)
        let ends = try Ends()
        try ends.meet()
        try ends.onHost { $0.setUp(true) }
        try ends.onCompanion { $0.setUp(true) }
        try ends.onHost { _ in }
        let heard = ends.heardByHost.all + ends.heardByCompanion.all
        #expect(heard == ["connected", "connected"])
        try ends.end()
    }

    @Test("The same reason is logged again after a connection")
    func loggedAgain() throws {
        let ends = try Ends()
        try ends.meet()
        for count in 1...2 {
            try ends.onCompanion { $0.setUp(false) }
            ends.heardByCompanion.expect { $0.filter { $0 == "unreachable: the link is down" }.count == count }
            try ends.onCompanion { $0.setUp(true) }
            ends.heardByCompanion.expect { $0.last == "connected" }
        }
        let fields = ends.companionLog.all.filter { $0.event == .connectFailed }.map { Array($0.fields.prefix(2)) }
        let expected: [LogField] = [.path(ends.path), .reason("the link is down")]
        #expect(fields == [expected, expected])
        try ends.end()
    }

    @Test("Either side learns that what waits for the other makes progress")
    func delivering() throws {
        let ends = try Ends()
        try ends.meet()
        let (host, companion) = (ends.host.identifier, ends.companion.identifier)
        try ends.onCompanion { try $0.send(LinkTests.message(100_000), to: host) }
        ends.heardByHost.expect { $0 == ["connected", "SendMessageData"] }
        let told = ends.heardByCompanion.all
        #expect(told == ["connected", "delivering"])
        try ends.onHost { try $0.send(LinkTests.message(100_000), to: companion) }
        ends.heardByCompanion.expect { $0.last == "SendMessageData" }
        let heard = ends.heardByHost.all
        #expect(heard == ["connected", "SendMessageData", "delivering"])
        try ends.end()
    }

    @Test("A delayed connection is never served after a stop, nor out of range", arguments: [false, true])
    func delayedInVain(_ isStopped: Bool) throws {
        let ends = try Ends(Self.delayed(.seconds(1)))
        try ends.startHost()
        let client = try BlockingStream(connectingTo: ends.path, timeout: .seconds(20))
        try ends.onHost { _ in }
        try ends.onHost { listener in
            if isStopped { listener.stop("end") {} } else { listener.conditioner.set(Self.away, for: nil) }
        }
        let line = try client.readLine()
        #expect(line == nil)
        let heard = ends.heardByHost.all
        #expect(heard == [])
        let ended = ends.hostLog.all.filter { $0.event != .linkListening }.map(\.event)
        #expect(ended == [])
        try ends.end()
    }
}
