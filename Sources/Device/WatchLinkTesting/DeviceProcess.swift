import Configuration
import ControlSocket
import DeviceControl
import DeviceShell
public import Foundation
import Homes
public import LinkProtocol
import Locking
import Processes
import WatchConnectivity

/// A phone or a watch in a separate process: a program that uses `WCSession.default`, or a service.
public final class DeviceProcess: Sendable {
    /// The error for a process that does not behave as expected.
    public struct Failure: Error, CustomStringConvertible {
        /// The process and its failure.
        public let description: String
    }

    /// The time-out for the start and the end of a process. 30 s: reached only if something is broken.
    private static let limit: DispatchTimeInterval = .seconds(30)

    /// The event that a session logs when it is activated.
    private static let activation = "session activated"
    /// The event logged when this class can control the process, before or after activation.
    private static let listening = "control listening"
    /// The event logged before activation if it cannot: the program is not linked with DeviceControl.
    private static let missing = "control missing"

    /// The role of the device: phone or watch.
    public let role: DeviceRole
    /// The device's home: the documents, the UserDefaults and the temporary files of its program. It lasts as long as the
    /// pair.
    public var home: URL { URL(filePath: programHome.path) }
    private let executable: URL
    private let arguments: [String]
    private let environment: [String: String]
    private let programHome: ProgramHome
    private let controlSocket: String
    private let process = Mutex<BackgroundProcess?>(nil)
    private let signal: ChangeSignal

    /// Creates an app's process.
    ///
    /// - Parameter directory: The directory of the pair's socket and the devices' state.
    convenience init(
        _ role: DeviceRole, executable: URL, arguments: [String], environment: [String: String], in directory: URL,
        signal: ChangeSignal
    ) {
        let place = ProgramPlace(role == .host ? "phone" : "watch", role, in: directory.plainPath)
        self.init(
            role, executable: executable, arguments: arguments, home: place.home,
            environment: place.variables.merging(["WATCHLINK_LOG_LEVEL": "debug"]) { $1 }.merging(environment) { $1 },
            controlSocket: place.state.controlSocket, signal: signal)
    }

    /// Creates the process of any program with a session.
    ///
    /// - Parameters:
    ///   - environment: The variables beside those of this process.
    ///   - controlSocket: The path of the socket on which the program accepts commands.
    init(
        _ role: DeviceRole, executable: URL, arguments: [String], home: ProgramHome, environment: [String: String],
        controlSocket: String, signal: ChangeSignal
    ) {
        self.role = role
        self.executable = executable
        self.arguments = arguments
        programHome = home
        self.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        self.controlSocket = controlSocket
        self.signal = signal
    }

    /// Starts the program, and waits until its session is activated and, if it is linked with `DeviceControl`, accepts
    /// commands.
    ///
    /// - Throws: ``Failure`` if the process ends, and ``WaitTimeout`` after 30 seconds.
    public func start(fileID: String = #fileID, line: Int = #line) async throws {
        let started = try launch()
        try await signal.wait(
            for: "\(role.rawValue) activates its session", within: .seconds(30), at: CallSite(fileID, line)
        ) {
            guard !started.hasEnded else { throw Failure(description: "the \(self.role.rawValue) ended immediately") }
            return started.says(Self.activation)
                && (started.says(Self.listening) || started.says(Self.missing))
        }
    }

    /// Starts the program without waiting, for a session whose activation is to fail.
    public func begin() throws { _ = try launch() }

    private func launch() throws -> BackgroundProcess {
        try programHome.create()
        let started = try BackgroundProcess(
            role.rawValue, executable: executable, arguments: arguments, environment: environment, mergesOutput: true,
            onLine: { [signal] _ in signal.signal() }, onEnd: { [signal] in signal.signal() })
        process.withLock { $0 = started }
        return started
    }

    /// Kills the process with SIGKILL, as a crash or the system would: no work is finished.
    public func kill() { process.withLock { $0 }?.kill() }

    /// True if the process has ended or was never started.
    public var hasEnded: Bool { process.withLock { $0 }?.hasEnded ?? true }

    /// The exit code or signal of the ended process; nil while it runs.
    public var ending: ProcessEnding? {
        process.withLock { $0 }.flatMap { ProcessEnding(of: $0) }
    }

    /// Sends SIGTERM to the process, and waits until it ends.
    ///
    /// - Throws: ``Failure`` if it is still running after 30 seconds.
    public func stop() throws {
        guard let running = process.withLock({ $0 }) else { return }
        guard running.stop(within: Self.limit) != nil else {
            throw Failure(description: "the \(role.rawValue) did not end after SIGTERM")
        }
    }

    /// Kills the process and starts the program again, with the state that its last run left in its directory.
    public func restart(fileID: String = #fileID, line: Int = #line) async throws {
        kill()
        try await start(fileID: fileID, line: line)
    }

    /// Writes a line to the program's standard input.
    public func tell(_ line: String) throws { try process.withLock { $0 }?.write(line + "\n") }

    /// The lines that it has written to standard output and standard error, including the log.
    public var lines: [String] { process.withLock { $0 }?.lines ?? [] }

    // MARK: - Device control

    /// Changes the state of the app.
    public func enter(_ state: ApplicationState) throws { try apply(DeviceDeed(state)) }
    /// Lowers or raises the wrist that wears the watch.
    public func setWristDown(_ isDown: Bool) throws { try apply(isDown ? .wristDown : .wristUp) }
    /// Starts or ends a workout session on the watch.
    public func setWorkout(_ isActive: Bool) throws { try apply(isActive ? .workoutStart : .workoutEnd) }
    /// Installs or removes the app.
    public func setAppInstalled(_ isInstalled: Bool) throws { try apply(isInstalled ? .install : .uninstall) }
    /// Takes the device out of range, or back into range.
    public func setLinkUp(_ isUp: Bool) throws { try apply(isUp ? .linkUp : .linkDown) }
    /// Restarts the phone, which is locked afterwards.
    public func reboot() throws { try apply(.reboot) }
    /// Unlocks the phone.
    public func unlock() throws { try apply(.unlock) }

    /// Changes the condition of the link, effective immediately.
    public func condition(_ condition: LinkCondition) throws {
        _ = try call(.condition(condition, for: nil))
    }

    /// Adds a fault rule for packages, effective from now on.
    public func inject(_ rule: FaultRule) throws { try apply(.add(rule)) }

    /// Adds a fault that the app sees, effective from now on.
    public func inject(_ fault: AppFault) throws { try apply(.addAtApp(fault)) }

    /// Sets the fault of the device's disk, after a number of writes that still succeed.
    public func setDisk(_ fault: DiskFault, after writes: Int = 0) throws {
        try apply(.disk(fault, after: writes))
    }

    /// Removes all faults, and releases the held packages.
    public func clearFaults() throws { try apply(.clear) }

    /// Adds a fault, releases held packages, or removes all faults.
    public func apply(_ deed: FaultDeed) throws { _ = try call(.fault(deed)) }

    /// Applies an action to the device or its app.
    public func apply(_ deed: DeviceDeed) throws { _ = try call(.device(deed)) }

    /// Switches a phone to a watch, by the watch's identifier.
    public func switchTo(_ watch: UUID) throws { try change(.switchTo, watch) }
    /// Pairs a watch with a phone, by the watch's identifier.
    public func pair(_ watch: UUID) throws { try change(.pair, watch) }
    /// Unpairs a watch from a phone, by the watch's identifier.
    public func unpair(_ watch: UUID) throws { try change(.unpair, watch) }

    /// Returns the device's identifier.
    public func identifier() throws -> UUID {
        let status = try call(.status)
        guard let identifier = status["identifier"]?.string.flatMap(UUID.init(uuidString:)) else {
            throw Failure(description: "the \(role.rawValue) did not report its identifier")
        }
        return identifier
    }

    /// Returns the ledger: the state of each message and transfer, in the order of their last change.
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
            throw Failure(description: "the \(role.rawValue) cannot be controlled: \(line)")
        }
        return try ControlClient(path: controlSocket).call(request)
    }
}

extension BackgroundProcess {
    fileprivate func says(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}
