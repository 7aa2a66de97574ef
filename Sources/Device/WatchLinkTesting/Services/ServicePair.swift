public import Foundation
import Homes
public import LinkProtocol
import Processes

/// The host and the companion of an application's services in separate processes: killing one affects nothing else.
///
/// Both use one state directory, as they do by default; it lasts as long as the pair.
public final class ServicePair: DevicePair {
    /// The variable that names the services' state directory, also for their command line.
    private static let directoryVariable = "WATCHLINK_STATE_DIRECTORY"

    /// The host, which stores what the companion sends.
    public let host: DeviceProcess
    /// The companion.
    public let companion: DeviceProcess
    /// The signal of the services' changes.
    public let signal = ChangeSignal()
    private let directory: ScratchDirectory
    private let environment: [String: String]

    /// Creates a pair of services.
    ///
    /// - Parameters:
    ///   - host: The host's program.
    ///   - hostArguments: Its arguments, such as `["--config", "host.json5"]`.
    ///   - companion: The companion's program.
    ///   - companionArguments: Its arguments.
    ///   - environment: Additional variables for both.
    /// - Throws: An error if no temporary directory can be created.
    public init(
        host: URL, arguments hostArguments: [String] = [], companion: URL,
        arguments companionArguments: [String] = [], environment: [String: String] = [:]
    ) throws {
        let directory = try ScratchDirectory()
        self.directory = directory
        let home = ProgramHome(directory.path + "/home")
        let variables = home.variables.merging([Self.directoryVariable: directory.path + "/state"]) { $1 }
            .merging(environment) { $1 }
        self.environment = variables
        let signal = signal
        func process(_ role: DeviceRole, _ program: URL, _ arguments: [String]) -> DeviceProcess {
            DeviceProcess(
                role, executable: program, arguments: arguments, home: home, environment: variables,
                controlSocket: "\(directory.path)/state/\(role.rawValue).control.sock", signal: signal)
        }
        self.host = process(.host, host, hostArguments)
        self.companion = process(.companion, companion, companionArguments)
        signal.follow { [weak self] in self.map { [$0.host.evidence, $0.companion.evidence] } ?? [] }
    }

    /// Creates a pair of services of the tests' own package, by the names of their programs.
    ///
    /// - Throws: ``MissingProgram`` if one does not lie beside the tests.
    public convenience init(
        host: String, arguments hostArguments: [String] = [], companion: String,
        arguments companionArguments: [String] = [], environment: [String: String] = [:]
    ) throws {
        try self.init(
            host: TestPrograms.program(host), arguments: hostArguments, companion: TestPrograms.program(companion),
            arguments: companionArguments, environment: environment)
    }

    /// Starts both, and waits until they accept commands and the companion is connected to the host.
    public func start(fileID: String = #fileID, line: Int = #line) async throws {
        try await host.start(fileID: fileID, line: line)
        try await companion.start(fileID: fileID, line: line)
        try await waitUntil("the companion reaches the host", fileID: fileID, line: line) {
            companion.lines.contains { $0.contains("reachable=true") }
        }
    }

    /// Waits until a condition on the services' output or ledgers holds. It is checked again after each line of output.
    ///
    /// - Parameters:
    ///   - what: A description of the condition for the error.
    ///   - limit: The time-out, reached only if something is broken.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - condition: Returns true when the wait ends.
    /// - Throws: ``WaitTimeout`` with what the ledgers and the output tell, and any error of the condition.
    public func waitUntil(
        _ what: String = "the condition", within limit: Duration = .seconds(30), fileID: String = #fileID,
        line: Int = #line, _ condition: () throws -> Bool
    ) async throws {
        try await signal.wait(for: what, within: limit, at: CallSite(fileID, line), condition)
    }

    /// Reads the ledger of the host as the phone's, or of the companion as the watch's.
    public func ledger(of side: PairSide) throws -> [LedgerEntry] { try (side == .phone ? host : companion).ledger() }

    /// Runs a command line of the services to its end, such as that which lists what the host stored.
    ///
    /// - Parameters:
    ///   - program: The name of a program of the tests' own package.
    ///   - arguments: Its arguments.
    ///   - input: Its standard input.
    /// - Returns: The exit code and the output.
    /// - Throws: ``MissingProgram`` if the program does not lie beside the tests, and errors of the system.
    public func run(_ program: String, _ arguments: [String], input: String = "") async throws -> ProgramResult {
        try await ProgramResult.run(
            TestPrograms.program(program), arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }, input: Data(input.utf8))
    }
}
