import Configuration
import ControlSocket
import DeviceControl
import Foundation
public import LinkProtocol
import Locking
import Processes
import WatchConnectivity

/// A phone or a watch that is a process of its own: a program that uses `WCSession.default`.
public final class DeviceProcess: Sendable {
    /// What a process did not do.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// How long a process may take to begin or to end. 30 s: reached only by what is broken.
    private static let limit: DispatchTimeInterval = .seconds(30)

    /// What a session logs when it is activated.
    private static let activation = "session activated"
    /// When the methods of this class reach it, before or after that.
    private static let listening = "control listening"
    /// Before it is activated, when they cannot: its program is not linked with DeviceControl.
    private static let missing = "control missing"

    public let role: DeviceRole
    private let executable: URL
    private let arguments: [String]
    private let environment: [String: String]
    private let controlSocket: String
    private let process = Mutex<BackgroundProcess?>(nil)
    private let signal: ChangeSignal

    /// - Parameters:
    ///   - directory: Where the pair's socket and the devices' directories lie.
    init(
        _ role: DeviceRole, executable: URL, arguments: [String], environment: [String: String], in directory: URL,
        signal: ChangeSignal
    ) {
        self.role = role
        self.executable = executable
        self.arguments = arguments
        self.signal = signal
        let state = directory.appending(path: role.rawValue).path(percentEncoded: false)
        controlSocket = state + "/control.sock"
        var variables = ProcessInfo.processInfo.environment
        variables["WATCHLINK_ROLE"] = role.rawValue
        variables["WATCHLINK_SOCKET"] = directory.appending(path: "link").path(percentEncoded: false)
        variables["WATCHLINK_DEVICE_STATE"] = state
        variables["WATCHLINK_LOG_LEVEL"] = "debug"
        self.environment = variables.merging(environment) { $1 }
    }

    /// Starts the program, and waits until its session is activated and takes commands, if it is linked with `DeviceControl`.
    public func start() async throws {
        let started = try launch()
        try await waitFor("\(role.rawValue) activates its session") {
            guard !started.hasEnded else { throw Failure(description: "\(self.role.rawValue) ended at once") }
            return started.says(Self.activation)
                && (started.says(Self.listening) || started.says(Self.missing))
        }
    }

    /// Starts the program and waits for nothing: for one whose activation is to fail.
    public func begin() throws { _ = try launch() }

    private func launch() throws -> BackgroundProcess {
        let started = try BackgroundProcess(
            role.rawValue, executable: executable, arguments: arguments, environment: environment, mergesOutput: true,
            onLine: { [signal] _ in signal.signal() }, onEnd: { [signal] in signal.signal() })
        process.withLock { $0 = started }
        return started
    }

    /// Ends the process with SIGKILL, as a crash or the system would: nothing is finished.
    public func kill() { process.withLock { $0 }?.kill() }

    /// Whether the process is gone.
    public var hasEnded: Bool { process.withLock { $0 }?.hasEnded ?? true }

    /// How the process ended; nil while it runs.
    public var ending: ProcessEnding? {
        process.withLock { $0 }?.termination.map { reason, number in
            reason == .exit ? .exit(number) : .signal(number)
        }
    }

    /// Asks the process to end (SIGTERM), and waits.
    public func stop() throws {
        guard let running = process.withLock({ $0 }) else { return }
        guard running.stop(within: Self.limit) != nil else {
            throw Failure(description: "\(role.rawValue) did not end when it was asked to")
        }
    }

    /// Starts the program again, with what its former run left in its directory.
    public func restart() async throws {
        kill()
        try await start()
    }

    /// Writes a line to the program's standard input.
    public func tell(_ line: String) throws { try process.withLock { $0 }?.write(line + "\n") }

    /// The lines of its standard output and standard error so far; the log is among them.
    public var lines: [String] { process.withLock { $0 }?.lines ?? [] }

    // MARK: - Around the app

    /// Puts the app into another state.
    public func enter(_ state: ApplicationState) throws { try apply(DeviceDeed(state)) }
    public func setWristDown(_ isDown: Bool) throws { try apply(isDown ? .wristDown : .wristUp) }
    public func setWorkout(_ isActive: Bool) throws { try apply(isActive ? .workoutStart : .workoutEnd) }
    public func setAppInstalled(_ isInstalled: Bool) throws { try apply(isInstalled ? .install : .uninstall) }
    public func setLinkUp(_ isUp: Bool) throws { try apply(isUp ? .linkUp : .linkDown) }
    public func reboot() throws { try apply(.reboot) }
    public func unlock() throws { try apply(.unlock) }

    /// Makes the link another one, at once.
    public func condition(_ condition: LinkCondition) throws {
        _ = try call(.condition(condition, for: nil))
    }

    /// Adds a fault: what happens to which packages, from now on.
    public func inject(_ rule: FaultRule) throws { try apply(.add(rule)) }

    /// Adds a fault that the application sees, from now on.
    public func inject(_ fault: AppFault) throws { try apply(.addAtApp(fault)) }

    /// What the disk does to the device's database.
    public func setDisk(_ fault: DiskFault, after writes: Int = 0) throws {
        try apply(.disk(fault, after: writes))
    }

    /// There are no faults any more; what was held goes on.
    public func clearFaults() throws { try apply(.clear) }

    /// Begins a fault, releases what was held, or ends all faults.
    public func apply(_ deed: FaultDeed) throws { _ = try call(.fault(deed)) }

    /// Does something to the device, or to its app.
    public func apply(_ deed: DeviceDeed) throws { _ = try call(.device(deed)) }

    /// Phone: what a person does with its watches, by their identifiers.
    public func switchTo(_ watch: UUID) throws { try change(.switchTo, watch) }
    public func pair(_ watch: UUID) throws { try change(.pair, watch) }
    public func unpair(_ watch: UUID) throws { try change(.unpair, watch) }

    /// The device's identifier.
    public func identifier() throws -> UUID {
        let status = try call(.status)
        guard let identifier = status["identifier"]?.string.flatMap(UUID.init(uuidString:)) else {
            throw Failure(description: "the \(role.rawValue) does not say who it is")
        }
        return identifier
    }

    /// What became of each message and transfer, in the order of the last change.
    public func ledger() throws -> [LedgerEntry] {
        let entries = try call(.ledger(LedgerQuestion()))
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
        return try decoder.decode([LedgerEntry].self, from: try JSONEncoder().encode(entries))
    }

    private func change(_ change: WatchDeed.Change, _ watch: UUID) throws {
        _ = try call(.watch(WatchDeed(change, of: watch)))
    }

    private func call(_ request: DeviceRequest) throws -> JSONValue {
        if let line = lines.last(where: { $0.contains(Self.missing) }) {
            throw Failure(description: "the \(role.rawValue) cannot be told what to do: \(line)")
        }
        return try ControlClient(path: controlSocket).call(request)
    }

    private func waitFor(_ what: String, _ condition: () throws -> Bool) async throws {
        try await signal.wait(for: what, within: .seconds(30), condition) { lines.suffix(20) }
    }
}

extension BackgroundProcess {
    fileprivate func says(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}
