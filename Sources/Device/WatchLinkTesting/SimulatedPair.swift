import Configuration
public import Foundation
public import LinkProtocol
import Processes
public import WatchConnectivity

/// A phone and its watches in the test's own process, linked as separate processes would be.
public final class SimulatedPair: DevicePair {
    /// The phone.
    public let phone: SimulatedDevice
    /// The first of ``watches``.
    public var watch: SimulatedDevice { watches[0] }
    /// The watches, at least one.
    public let watches: [SimulatedDevice]
    private let directory: ScratchDirectory
    /// The signal of the devices' changes.
    public let signal = ChangeSignal()

    /// - Parameters:
    ///   - count: The number of watches, at least one.
    ///   - times: The time-outs of replies and acknowledgements. ``PairTimes/real`` are those outside of tests.
    ///   - configure: Changes the configuration of each device: time-outs, limits, the number of watches that the phone
    ///     serves.
    /// - Throws: An error if no temporary directory can be created.
    public init(
        watches count: Int = 1, times: PairTimes = .short, _ configure: (inout DeviceConfiguration) -> Void = { _ in }
    ) throws {
        let directory = try ScratchDirectory()
        self.directory = directory
        let signal = signal
        phone = try SimulatedDevice(.host, name: "phone", in: directory.url, signal: signal, times, configure)
        watches = try (1...max(1, count)).map { number in
            try SimulatedDevice(
                .companion, name: number == 1 ? "watch" : "watch\(number)", in: directory.url, signal: signal,
                times, configure)
        }
        signal.follow { [weak self] in self.map { [$0.phone] + $0.watches }?.map(\.evidence) ?? [] }
    }

    /// Starts the phone and the first watch, and waits until each can reach the other.
    public func start(
        phone phoneDelegate: any WCSessionDelegate, watch watchDelegate: any WCSessionDelegate,
        fileID: String = #fileID, line: Int = #line
    ) async throws {
        phone.start(delegate: phoneDelegate)
        watch.start(delegate: watchDelegate)
        try await waitUntil("phone and watch reach each other", fileID: fileID, line: line) {
            self.phone.session.isReachable && self.watch.session.isReachable
        }
    }

    /// Takes all watches out of the phone's range, or back into range.
    public func setLinkUp(_ isUp: Bool) { for watch in watches { watch.simulator.setLinkUp(isUp) } }

    /// Waits until a condition holds. It is checked again after each log event, delegate call and handler call of a
    /// device; report other changes with ``noteChange()``.
    ///
    /// - Parameters:
    ///   - what: A description of the condition for the error.
    ///   - limit: The time-out, reached only if something is broken.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - condition: Returns true when the wait ends.
    /// - Throws: ``WaitTimeout`` with what the ledgers and the logs tell, and any error of the condition.
    public func waitUntil(
        _ what: String = "the condition", within limit: Duration = .seconds(30), fileID: String = #fileID,
        line: Int = #line, _ condition: () throws -> Bool
    ) async throws {
        try await signal.wait(for: what, within: limit, at: CallSite(fileID, line), condition)
    }

    /// Records all devices into one cassette, from now on until the recording is finished or released.
    ///
    /// - Parameters:
    ///   - directory: The directory of the cassette; it must be empty or missing.
    ///   - keyPaths: The key paths whose values stay as they are, such as `answers[].points`; all other values become
    ///     tokens.
    /// - Throws: An error if the cassette cannot be made, or if the pair is already recorded.
    public func record(to directory: URL, keeping keyPaths: [String] = []) throws -> PairRecording {
        try PairRecording([phone] + watches, to: directory.standardizedFileURL.plainPath, keeping: keyPaths)
    }

    /// Reads the ledger of the phone, or those of all watches.
    public func ledger(of side: PairSide) throws -> [LedgerEntry] {
        try (side == .phone ? [phone] : watches).flatMap { try $0.wholeLedger() }
    }

    /// Reports a change that a condition depends on and no device can observe.
    public func noteChange() { signal.signal() }
}
