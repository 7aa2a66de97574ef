import EventLog
public import Foundation
public import LinkProtocol
import Locking
public import WatchConnectivity

/// A phone or a watch in the test's own process: a session on a real socket, with a directory of its own.
public final class SimulatedDevice: Sendable {
    private struct State {
        var session: WCSession?
        var log: [String] = []
    }

    /// Lines of the log that are kept for a failure's report. 200: what happened in the last moments.
    private static let keptLines = 200

    private let configuration: DeviceConfiguration
    private let state = Mutex(State())
    private let signal: ChangeSignal

    init(
        _ role: DeviceRole, name: String, in directory: URL, signal: ChangeSignal,
        _ configure: (inout DeviceConfiguration) -> Void
    ) throws {
        self.signal = signal
        var configuration = try DeviceConfiguration(
            role: role, socketPath: directory.appending(path: "link").path(percentEncoded: false),
            stateDirectory: directory.appending(path: name).path(percentEncoded: false), name: name)
        configuration.controlSocketPath = nil
        // Nothing but the test's own pace should decide how long it takes.
        configuration.reconnect = Backoff(initial: .milliseconds(5), maximum: .milliseconds(50))
        configuration.transferRetry = Backoff(initial: .milliseconds(5), maximum: .milliseconds(50))
        configure(&configuration)
        configuration.logger = .silent
        self.configuration = configuration
    }

    /// The device's identifier, as a phone's ``WCSession/simulator`` takes it.
    public var identifier: UUID { configuration.device.identifier }

    /// The session. Another one after each ``start(delegate:)``.
    public var session: WCSession {
        state.withLock { state in
            if let session = state.session { return session }
            let session = WCSession(configuration: recording(configuration))
            state.session = session
            return session
        }
    }

    /// What happens to the device around its app.
    public var simulator: DeviceSimulator { session.simulator }

    /// The device's process begins: the session gets its delegate and is activated. Wait for what should follow.
    ///
    /// - Parameter delegate: Held weakly by the session, as on Apple's platforms.
    public func start(delegate: any WCSessionDelegate) {
        let session = session
        session.delegate = delegate
        session.activate()
    }

    /// The device's process ends in good order. What it has queued or received is there at the next start.
    public func stop() async {
        let session = state.withLock { state in
            defer { state.session = nil }
            return state.session
        }
        guard let session else { return }
        await withCheckedContinuation { continuation in session.shutDown("the test stops it") { continuation.resume() }
        }
        signal.signal()
    }

    /// What became of each message and transfer, in the order of the last change.
    public func ledger() throws -> [LedgerEntry] { try simulator.ledger() }

    /// The latest lines of the log.
    public var log: [String] { state.withLock { $0.log } }

    private func recording(_ configuration: DeviceConfiguration) -> DeviceConfiguration {
        var configuration = configuration
        configuration.logger = Logger(service: configuration.device.name, minimumLevel: .debug) { [weak self] record in
            self?.record(LogFormat.text.line(record))
        }
        return configuration
    }

    private func record(_ line: String) {
        state.withLock { state in
            state.log.append(line)
            if state.log.count > Self.keptLines { state.log.removeFirst() }
        }
        signal.signal()
    }
}
