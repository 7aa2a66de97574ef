import Foundation
import LinkProtocol
import Processes
public import WatchConnectivity

/// A phone and its watches in the test's own process, linked as two processes would be.
public final class SimulatedPair: Sendable {
    public let phone: SimulatedDevice
    /// The first of ``watches``.
    public var watch: SimulatedDevice { watches[0] }
    public let watches: [SimulatedDevice]
    private let directory: ScratchDirectory
    private let signal = ChangeSignal()

    /// - Parameters:
    ///   - watches: How many there are, at least one.
    ///   - configure: Changes the configuration of each device: time-outs, limits, how many watches the phone serves.
    /// - Throws: If no temporary directory can be made.
    public init(watches count: Int = 1, _ configure: (inout DeviceConfiguration) -> Void = { _ in }) throws {
        let directory = try ScratchDirectory()
        self.directory = directory
        let signal = signal
        phone = try SimulatedDevice(.host, name: "phone", in: directory.url, signal: signal, configure)
        watches = try (1...max(1, count)).map { number in
            try SimulatedDevice(
                .companion, name: number == 1 ? "watch" : "watch\(number)", in: directory.url, signal: signal,
                configure)
        }
    }

    /// Starts the phone and the first watch, and waits until they reach each other.
    public func start(
        phone phoneDelegate: any WCSessionDelegate, watch watchDelegate: any WCSessionDelegate
    ) async throws {
        phone.start(delegate: phoneDelegate)
        watch.start(delegate: watchDelegate)
        try await waitUntil("phone and watch reach each other") {
            self.phone.session.isReachable && self.watch.session.isReachable
        }
    }

    /// Puts all watches out of the phone's range, or back into it.
    public func setLinkUp(_ isUp: Bool) { for watch in watches { watch.simulator.setLinkUp(isUp) } }

    /// Waits until a condition holds. It is looked at again whenever something happens in a device: after each event of its
    /// log, each call of its delegate and each of its handlers. What the test itself changes elsewhere it tells by
    /// ``noteChange()``.
    ///
    /// - Parameters:
    ///   - what: For the error's text.
    ///   - limit: After how long it is given up; reached only by what is broken.
    /// - Throws: ``WaitTimeout``, with the last lines of the logs.
    public func waitUntil(
        _ what: String = "the condition", within limit: Duration = .seconds(30), _ condition: () throws -> Bool
    ) async throws {
        try await signal.wait(for: what, within: limit, condition) {
            ([phone] + watches).flatMap { $0.log.suffix(20) }.sorted()
        }
    }

    /// Something changed that a condition looks at and no device knows of.
    public func noteChange() { signal.signal() }
}
