public import Foundation
import Processes

/// A phone and a watch that are processes of their own, linked: what kills one of them hurts nothing else.
public final class ProcessPair: Sendable {
    public let phone: DeviceProcess
    public let watch: DeviceProcess
    private let directory: ScratchDirectory
    private let signal = ChangeSignal()

    /// - Parameters:
    ///   - phone: The program that plays the phone. Its role, socket and directory are in its environment.
    ///   - watch: The program that plays the watch; it may be the same one.
    ///   - environment: More variables for both.
    /// - Throws: If no temporary directory can be made.
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

    /// Starts both, and waits until their sessions are activated and they reach each other.
    public func start() async throws {
        try await phone.start()
        try await watch.start()
        try await waitUntil("phone and watch reach each other") {
            [phone, watch].allSatisfy { $0.lines.contains { $0.contains("reachable=true") } }
        }
    }

    /// Waits until a condition holds: on the lines that the processes write, on their ledgers. It is looked at again after each
    /// line.
    ///
    /// - Throws: ``WaitTimeout``, with the last lines of both.
    public func waitUntil(
        _ what: String = "the condition", within limit: Duration = .seconds(30), _ condition: () throws -> Bool
    ) async throws {
        try await signal.wait(for: what, within: limit, condition) {
            [phone, watch].flatMap { $0.lines.suffix(20) }
        }
    }
}
