import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

/// One device in the test's process, on a real socket and a real directory, that can end and restart.
final class TestDevice {
    var configuration: DeviceConfiguration
    let log = Collector<LogRecord>()
    let chunks = ChunkTrigger()
    private(set) var delegate = RecordingDelegate()
    private(set) var session: WCSession

    var identifier: UUID { configuration.device.identifier }

    init(
        _ role: DeviceRole, in scratch: Scratch, name: String? = nil,
        _ configure: (inout DeviceConfiguration) -> Void = { _ in }
    ) {
        let name = name ?? role.rawValue
        var configuration = DeviceConfiguration(
            device: Device(identifier: UUID(), role: role, name: name), socketPath: scratch.path("link"),
            stateDirectory: scratch.path(name))
        configuration.logger = Logger(service: name, minimumLevel: .debug) { [log, chunks] record in
            log.add(record)
            chunks.saw(record)
        }
        configuration.reconnect = Backoff(initial: .milliseconds(5), maximum: .milliseconds(20))
        configuration.transferRetry = Backoff(initial: .milliseconds(5), maximum: .milliseconds(20))
        configure(&configuration)
        self.configuration = configuration
        session = WCSession(configuration: configuration)
        session.delegate = delegate
    }

    /// Activates, and waits for the completion.
    func activate() -> Bool {
        session.activate()
        return delegate.events.expect { $0.contains("activated 2 ok") }
    }

    /// Ends the process cleanly, and starts it again with the same directory.
    func restart() -> Bool { end() && begin() }

    func end() -> Bool {
        let ended = Collector<Bool>()
        session.shutDown("test") { ended.add(true) }
        return ended.expect { $0 == [true] }
    }

    func begin() -> Bool {
        delegate = RecordingDelegate()
        session = WCSession(configuration: configuration)
        session.delegate = delegate
        return activate()
    }

    /// Returns true if an event is logged, now or soon.
    func logs(_ event: LogEvent, times: Int = 1) -> Bool {
        log.expect { $0.count { $0.event == event } >= times }
    }
    func logs(_ hint: Hint) -> Bool {
        log.expect { $0.contains { $0.event == .hint && $0.fields.contains(.hint(hint.rawValue)) } }
    }
    /// The hints given so far.
    var hints: [Hint] {
        log.all.filter { $0.event == .hint }.flatMap { record in
            Hint.allCases.filter { record.fields.contains(.hint($0.rawValue)) }
        }
    }

    func count(_ event: LogEvent) -> Int { log.all.filter { $0.event == event }.count }

    func ledger(_ identifier: UUID, _ direction: LedgerEntry.Direction = .outgoing) throws -> LedgerEntry? {
        try session.simulator.ledger(identifier: identifier).first { $0.direction == direction }
    }

    func received(_ events: [String], _ kind: String) -> Bool {
        delegate.events.expect { all in all.filter { $0.hasPrefix(kind) } == events }
    }
}

/// A phone and a watch.
final class TestPair {
    let scratch: Scratch
    let host: TestDevice
    let companion: TestDevice

    init(_ configure: (inout DeviceConfiguration) -> Void = { _ in }) throws {
        scratch = try Scratch()
        host = TestDevice(.host, in: scratch, configure)
        companion = TestDevice(.companion, in: scratch, configure)
    }

    /// Activates both, and waits until they reach each other.
    func connect() -> Bool {
        host.activate() && companion.activate() && host.delegate.events.expect { $0.contains("reachable true") }
            && companion.delegate.events.expect { $0.contains("reachable true") }
    }
}
