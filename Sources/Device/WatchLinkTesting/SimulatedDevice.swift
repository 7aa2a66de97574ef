import Configuration
import DeviceShell
import EventLog
public import Foundation
public import LinkProtocol
import Locking
public import WatchConnectivity

/// A phone or a watch in the test's own process: a session on a real socket, with its own directory.
public final class SimulatedDevice: Sendable {
    private struct State {
        var session: WCSession?
        var log: [String] = []
        var records: [LogRecord] = []
    }

    /// The number of log lines that ``log`` keeps. 200: the last moments.
    private static let keptLines = 200
    /// The number of log records kept for a timeline. 5,000: a long test, in a megabyte or two.
    private static let keptRecords = 5_000

    let name: String
    private let configuration: DeviceConfiguration
    private let state = Mutex(State())
    private let signal: ChangeSignal

    init(
        _ role: DeviceRole, name: String, in directory: URL, signal: ChangeSignal,
        _ times: PairTimes, _ configure: (inout DeviceConfiguration) -> Void
    ) throws {
        self.name = name
        self.signal = signal
        var configuration = try DeviceConfiguration(
            role: role, socketPath: directory.appending(path: "link").plainPath,
            stateDirectory: directory.appending(path: name).plainPath, name: name)
        configuration.controlSocketPath = nil
        // Short, so that a test is not slowed down by back-off.
        configuration.reconnect = Backoff(initial: .milliseconds(5), maximum: .milliseconds(50))
        configuration.transferRetry = Backoff(initial: .milliseconds(5), maximum: .milliseconds(50))
        times.apply(to: &configuration.times)
        configure(&configuration)
        configuration.logger = .silent
        self.configuration = configuration
    }

    /// The device's identifier, as used by a phone's `WCSession.simulator`.
    public var identifier: UUID { configuration.device.identifier }

    var faultSeed: UInt64 { configuration.faultSeed }
    /// The place at which the events of all its sessions are told.
    var tap: DeviceTap { configuration.tap }

    /// The session; a new one after each ``stop()``.
    public var session: WCSession {
        state.withLock { state in
            if let session = state.session { return session }
            let session = WCSession(configuration: recording(configuration))
            state.session = session
            return session
        }
    }

    /// The control over the device and the environment of its app.
    public var simulator: DeviceSimulator { session.simulator }

    /// Starts the device: sets the session's delegate and activates the session, without waiting.
    ///
    /// - Parameter delegate: Held weakly by the session, as on Apple's platforms.
    public func start(delegate: any WCSessionDelegate) {
        let session = session
        (delegate as? RecordingDelegate)?.follow { [weak signal] in signal?.devices ?? [] }
        session.delegate = delegate
        session.activate()
    }

    /// Stops the device in an orderly way. Queued and received content is still there at the next start.
    public func stop() async {
        let session = state.withLock { state in
            defer { state.session = nil }
            return state.session
        }
        guard let session else { return }
        await withCheckedContinuation { continuation in
            session.shutDown("stopped by the test") { continuation.resume() }
        }
        signal.signal()
    }

    /// Returns the ledger: the state of each message and transfer, in the order of their last change.
    public func ledger() throws -> [LedgerEntry] { try simulator.ledger() }

    /// The ledger with all its entries.
    func wholeLedger() throws -> [LedgerEntry] { try simulator.ledger(limit: configuration.ledgerCapacity) }

    /// The device's part in the report of a failed wait.
    var evidence: DeviceEvidence {
        let (session, records) = state.withLock { ($0.session, $0.records) }
        let lines = records.suffix(Self.keptRecords).map { record in
            LogFormat.text.line(
                LogRecord(
                    time: record.time, service: configuration.device.role.rawValue, event: record.event,
                    fields: record.fields))
        }
        // A device that does not run is not made for a report.
        let ledger = Result { try session == nil ? [] : wholeLedger() }
        return DeviceEvidence(name: name, role: configuration.device.role, lines: lines, ledger: ledger)
    }

    /// The latest lines of the log.
    public var log: [String] { state.withLock { $0.log } }

    private func recording(_ configuration: DeviceConfiguration) -> DeviceConfiguration {
        var configuration = configuration
        configuration.logger = Logger(service: configuration.device.name, minimumLevel: .debug) { [weak self] record in
            self?.note(record)
        }
        return configuration
    }

    private func note(_ record: LogRecord) {
        let line = LogFormat.text.line(record)
        state.withLock { state in
            state.log.append(line)
            if state.log.count > Self.keptLines { state.log.removeFirst() }
            state.records.append(record)
            // In blocks: moving all the others for each would cost more than the record.
            if state.records.count >= 2 * Self.keptRecords { state.records.removeFirst(Self.keptRecords) }
        }
        signal.signal()
    }
}
