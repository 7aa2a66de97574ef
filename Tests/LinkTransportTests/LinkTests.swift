import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

/// A host's listener and companions' connectors on real sockets, each on a loop of its own.
private final class TestLink: Sendable {
    let scratch: Scratch
    let hostLoop: EventLoop
    let companionLoop: EventLoop
    let listener: LinkListener
    let hostEvents = Collector<LinkEvent>()
    let companionEvents = Collector<LinkEvent>()
    let log = Collector<LogRecord>()
    let path: String

    init(times: LinkTimes = LinkTimes()) throws {
        scratch = try Scratch()
        path = scratch.path("link.sock")
        hostLoop = try EventLoop(name: "host")
        companionLoop = try EventLoop(name: "companion")
        listener = LinkListener(
            loop: hostLoop, path: path, device: Device(identifier: UUID(), role: .host, name: "h"), access: .owner,
            times: times,
            conditioner: LinkConditioner(loop: hostLoop, LinkCondition(), seed: 1, logger: collectingLogger(log)),
            logger: collectingLogger(log))
    }

    func start() {
        hostLoop.execute { [self] in
            do {
                try listener.start { [hostEvents] in hostEvents.add($0) }
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    func connect(_ identifier: UUID = UUID(), pairingCode: String? = nil) -> LinkConnector {
        let connector = LinkConnector(
            loop: companionLoop, path: path, device: Device(identifier: identifier, role: .companion, name: "c"),
            pairingCode: pairingCode,
            times: LinkTimes(), backoff: Backoff(initial: .milliseconds(5), maximum: .milliseconds(50)),
            conditioner: LinkConditioner(loop: companionLoop, LinkCondition(), seed: 1, logger: .silent),
            logger: .silent)
        companionLoop.execute { [companionEvents] in connector.start { companionEvents.add($0) } }
        return connector
    }

    deinit {
        hostLoop.stopLater()
        companionLoop.stopLater()
    }
}

extension LinkEvent {
    var isConnected: Bool { if case .connected = self { true } else { false } }
    var hello: Hello? { if case .connected(let hello, _) = self { hello } else { nil } }
    var isDisconnected: Bool { if case .disconnected = self { true } else { false } }
    var package: MessagePackage? { if case .package(let package, _, _) = self { package } else { nil } }
}

@Suite("Link over real sockets")
struct LinkTests {
    static func message(_ bytes: Int = 10) -> MessagePackage {
        MessagePackage(
            identifier: UUID(), command: .sendMessageData, status: .sent, dataPackage: Data(repeating: 7, count: bytes),
            timestamp: Date())
    }

    @Test("A companion whose hello is too long for a frame ends each try at once, and never counts as connected")
    func unsentHello() throws {
        let link = try TestLink()
        link.start()
        let connector = link.connect(pairingCode: String(repeating: "7", count: LinkLimits.frameBytes))
        let ended = link.log.expect { $0.filter { $0.event == .peerMisbehaved }.count >= 3 }
        #expect(ended, "\(link.log.all)")
        let wrong = link.companionEvents.all.filter { if case .unreachable = $0 { false } else { true } }
        #expect(wrong.isEmpty, "\(wrong)")
        link.companionLoop.execute { connector.stop("done") {} }
    }

    @Test("Both sides meet, and packages arrive in order both ways")
    func bothWays() throws {
        let link = try TestLink()
        link.start()
        let identifier = UUID()
        let connector = link.connect(identifier)
        link.hostEvents.expect { $0.contains { $0.isConnected } }
        link.companionEvents.expect { $0.contains { $0.isConnected } }
        let hello = try #require(link.companionEvents.all.lazy.compactMap(\.hello).first)
        let packages = (0..<200).map { Self.message($0 * 100) }
        link.companionLoop.execute {
            for package in packages { try? connector.send(package, to: hello.device.identifier) }
        }
        link.hostEvents.expect { $0.compactMap(\.package).count == 200 }
        #expect(link.hostEvents.all.compactMap(\.package).map(\.identifier) == packages.map(\.identifier))
        let origins = link.hostEvents.all.compactMap(\.package).map(\.origin)
        #expect(origins.filter { $0 != identifier } == [])
        link.hostLoop.execute { [listener = link.listener] in try? listener.send(packages[0], to: identifier) }
        link.companionEvents.expect { $0.compactMap(\.package).count == 1 }
        withExtendedLifetime(connector) {}
    }

    @Test("A companion that started first finds the host when it comes")
    func hostLater() throws {
        let link = try TestLink()
        let connector = link.connect()
        link.start()
        link.companionEvents.expect { $0.contains { $0.isConnected } }
        withExtendedLifetime(connector) {}
    }

    @Test("The same device again replaces its ghost, which is told why")
    func ghost() throws {
        let link = try TestLink()
        link.start()
        let identifier = UUID()
        let first = link.connect(identifier)
        link.hostEvents.expect { $0.filter(\.isConnected).count == 1 }
        let second = link.connect(identifier)
        link.hostEvents.expect { $0.filter(\.isConnected).count >= 2 }
        link.log.expect { $0.contains { $0.event == .peerReplaced } }
        link.companionEvents.expect { events in
            events.contains {
                if case .disconnected(_, let reason) = $0 { reason.contains("replaced") } else { false }
            }
        }
        link.companionLoop.execute {
            first.stop("end") {}
            second.stop("end") {}
        }
    }

    @Test("The host reports the end of a replaced connection before the new one of the same device")
    func replaced() throws {
        let link = try TestLink()
        link.start()
        let identifier = UUID()
        let first = link.connect(identifier)
        link.hostEvents.expect { $0.contains { $0.isConnected } }
        let second = link.connect(identifier)
        link.hostEvents.expect { $0.filter(\.isConnected).count >= 2 }
        func name(_ event: LinkEvent) -> String {
            switch event {
            case .connected(let hello, _): "connected: \(hello.device.identifier == identifier)"
            case .disconnected(let device, let reason): "\(reason): \(device.identifier == identifier)"
            case .unreachable, .package, .delivering: "something else"
            }
        }
        let names = link.hostEvents.all.filter { $0.isConnected || $0.isDisconnected }.prefix(3).map { name($0) }
        #expect(
            names == ["connected: true", "replaced by a new connection of the same device: true", "connected: true"])
        link.companionLoop.execute {
            first.stop("end") {}
            second.stop("end") {}
        }
    }

    @Test("A peer that says nothing is closed after its time; others are served meanwhile")
    func silentPeer() throws {
        var times = LinkTimes()
        times.hello = .milliseconds(100)
        let link = try TestLink(times: times)
        link.start()
        link.log.expect { $0.contains { $0.event == .linkListening } }
        let silent = try BlockingStream(connectingTo: link.path, timeout: .seconds(20))
        let connector = link.connect()
        link.hostEvents.expect { $0.contains { $0.isConnected } }
        link.log.expect { $0.contains { $0.event == .peerMisbehaved } }
        while try silent.readLine() != nil {}
        withExtendedLifetime(connector) {}
    }

    @Test(
        "Hostile bytes close their connection and leave a line in the log",
        arguments: [
            Data("GET / HTTP/1.1\r\n\r\n".utf8), Data([0xFF, 0xFF, 0xFF, 0xFF]), Data([0, 0, 0, 0]),
            Data([0, 0, 0, 3, 1, 2, 3]),
        ])
    func garbage(_ bytes: Data) throws {
        let link = try TestLink()
        link.start()
        link.log.expect { $0.contains { $0.event == .linkListening } }
        let attacker = try BlockingStream(connectingTo: link.path, timeout: .seconds(20))
        try attacker.write(bytes)
        link.log.expect { $0.contains { $0.event == .peerMisbehaved } }
        // The host says goodbye and closes; a socket that was closed before the attacker read may end in an error.
        while (try? attacker.readLine()) ?? nil != nil {}
        let connector = link.connect()
        link.hostEvents.expect { $0.contains { $0.isConnected } }
        withExtendedLifetime(connector) {}
    }

    @Test("A peer that stops reading fills its own queue and no more")
    func backPressure() throws {
        let link = try TestLink()
        link.start()
        let identifier = UUID()
        let connector = link.connect(identifier)
        link.companionEvents.expect { $0.contains { $0.isConnected } }
        link.hostEvents.expect { $0.contains { $0.isConnected } }
        let hello = try #require(link.companionEvents.all.lazy.compactMap(\.hello).first)
        link.companionLoop.execute { connector.setReading(false, from: hello.device.identifier) }
        let refused = Collector<LinkSendError>()
        @Sendable func flood() {
            link.hostLoop.execute {
                do throws(LinkSendError) {
                    try link.listener.send(Self.message(60_000), to: identifier)
                    flood()
                } catch {
                    refused.add(error)
                }
            }
        }
        flood()
        refused.expect { $0 == [.queueFull] }
        link.companionLoop.execute { connector.setReading(true, from: hello.device.identifier) }
        link.companionEvents.expect { $0.compactMap(\.package).count > 60 }
    }

    @Test("A stop says goodbye, and the companion knows why")
    func stop() throws {
        let link = try TestLink()
        link.start()
        let connector = link.connect()
        link.hostEvents.expect { $0.contains { $0.isConnected } }
        let done = Collector<Bool>()
        link.hostLoop.execute { [listener = link.listener] in listener.stop("the host stops") { done.add(true) } }
        done.expect { !$0.isEmpty }
        link.companionEvents.expect { events in
            events.contains { if case .disconnected(_, "the host stops") = $0 { true } else { false } }
        }
        #expect(!FileManager.default.fileExists(atPath: link.path))
        withExtendedLifetime(connector) {}
    }

    @Test("Accepting resumes, for the log, only after it has failed")
    func noTrouble() throws {
        let link = try TestLink()
        link.start()
        let connector = link.connect()
        link.hostEvents.expect { $0.contains { $0.isConnected } }
        let resumed = link.log.all.filter { $0.event == .acceptResumed }
        #expect(resumed.isEmpty, "\(resumed)")
        withExtendedLifetime(connector) {}
    }
}
