public import Foundation
public import LinkProtocol
import Processes

/// A linked phone and watch in separate processes: killing one affects nothing else.
public final class ProcessPair: DevicePair {
    /// The phone.
    public let phone: DeviceProcess
    /// The watch.
    public let watch: DeviceProcess
    private let directory: ScratchDirectory
    /// The signal of the devices' changes.
    public let signal = ChangeSignal()

    /// - Parameters:
    ///   - phone: The program for the phone. Its environment contains its role, socket and directory.
    ///   - phoneArguments: The phone's arguments.
    ///   - watch: The program for the watch, possibly the same one.
    ///   - watchArguments: The watch's arguments.
    ///   - times: The time-outs of replies and acknowledgements. ``PairTimes/real`` are those outside of tests.
    ///   - environment: Additional variables for both.
    /// - Throws: An error if no temporary directory can be created.
    public init(
        phone: URL, arguments phoneArguments: [String] = [], watch: URL, arguments watchArguments: [String] = [],
        times: PairTimes = .short, environment: [String: String] = [:]
    ) throws {
        let environment = times.environment.merging(environment) { $1 }
        let directory = try ScratchDirectory()
        self.directory = directory
        self.phone = DeviceProcess(
            .host, executable: phone, arguments: phoneArguments, environment: environment, in: directory.url,
            signal: signal)
        self.watch = DeviceProcess(
            .companion, executable: watch, arguments: watchArguments, environment: environment, in: directory.url,
            signal: signal)
        signal.follow { [weak self] in self.map { [$0.phone.evidence, $0.watch.evidence] } ?? [] }
    }

    /// Creates a pair of programs of the tests' own package, by their names.
    ///
    /// - Throws: ``MissingProgram`` if one does not lie beside the tests.
    public convenience init(
        phone: String, arguments phoneArguments: [String] = [], watch: String,
        arguments watchArguments: [String] = [], times: PairTimes = .short, environment: [String: String] = [:]
    ) throws {
        try self.init(
            phone: TestPrograms.program(phone), arguments: phoneArguments, watch: TestPrograms.program(watch),
            arguments: watchArguments, times: times, environment: environment)
    }

    /// Starts both, and waits until their sessions are activated and each can reach the other.
    public func start(fileID: String = #fileID, line: Int = #line) async throws {
        try await phone.start(fileID: fileID, line: line)
        try await watch.start(fileID: fileID, line: line)
        try await waitUntil("phone and watch reach each other", fileID: fileID, line: line) {
            [phone, watch].allSatisfy { $0.lines.contains { $0.contains("reachable=true") } }
        }
    }

    /// Waits until a condition on the processes' output or ledgers holds. It is checked again after each line of
    /// output.
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

    /// Reads the ledger of the phone's program, or of the watch's.
    public func ledger(of side: PairSide) throws -> [LedgerEntry] { try (side == .phone ? phone : watch).ledger() }
}
