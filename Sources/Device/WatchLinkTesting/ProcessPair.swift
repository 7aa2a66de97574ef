public import Foundation
import Processes

/// A linked phone and watch in separate processes: killing one affects nothing else.
public final class ProcessPair: Sendable {
    /// The phone.
    public let phone: DeviceProcess
    /// The watch.
    public let watch: DeviceProcess
    private let directory: ScratchDirectory
    private let signal = ChangeSignal()

    /// - Parameters:
    ///   - phone: The program for the phone. Its environment contains its role, socket and directory.
    ///   - watch: The program for the watch, possibly the same one.
    ///   - environment: Additional variables for both.
    /// - Throws: An error if no temporary directory can be created.
    public init(
        phone: URL, arguments phoneArguments: [String] = [], watch: URL, arguments watchArguments: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        let directory = try ScratchDirectory()
        self.directory = directory
        self.phone = DeviceProcess(
            .host, executable: phone, arguments: phoneArguments, environment: environment, in: directory.url,
            signal: signal)
        self.watch = DeviceProcess(
            .companion, executable: watch, arguments: watchArguments, environment: environment, in: directory.url,
            signal: signal)
    }

    /// Starts both, and waits until their sessions are activated and each can reach the other.
    public func start() async throws {
        try await phone.start()
        try await watch.start()
        try await waitUntil("phone and watch reach each other") {
            [phone, watch].allSatisfy { $0.lines.contains { $0.contains("reachable=true") } }
        }
    }

    /// Waits until a condition on the processes' output or ledgers holds. It is checked again after each line of
    /// output.
    ///
    /// - Throws: ``WaitTimeout`` with the last lines of both, and any error of the condition.
    public func waitUntil(
        _ what: String = "the condition", within limit: Duration = .seconds(30), _ condition: () throws -> Bool
    ) async throws {
        try await signal.wait(for: what, within: limit, condition) {
            [phone, watch].flatMap { $0.lines.suffix(20) }
        }
    }
}
