public import EventLog
import Foundation
import Glibc
import LinkTransport
import Locking

/// Notifies the service manager of the service's state, by the protocol of sd_notify(3). Without a manager, every call
/// is a no-op.
public final class ServiceManager: Sendable {
    private let socket: DatagramSocket?
    private let logger: Logger
    /// The interval between watchdog notifications; nil if the watchdog is off. Half the watchdog's time-out, as
    /// sd_watchdog_enabled(3) recommends.
    public let watchdogPeriod: Duration?
    private let lastStatus = Mutex("")

    /// Creates a connection to the manager that NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID describe.
    public init(environment: [String: String], logger: Logger) {
        self.logger = logger
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
            .map(DatagramSocket.init(path:))
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        let period = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 0 ? $0 : nil }
        watchdogPeriod = isMeant && socket != nil ? period.map { .microseconds($0 / 2) } : nil
    }

    /// True if the environment names a service manager.
    public var isPresent: Bool { socket != nil }

    /// Reports that the service is ready, with a status line.
    public func ready(_ status: String) { notify(["READY=1", "STATUS=\(status)"], status) }

    /// Reports that the configuration is being reloaded; ``ready(_:)`` follows. The time stamp distinguishes this
    /// reload from an earlier one.
    public func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        notify(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)"])
    }

    /// Reports that the service is stopping.
    public func stopping() { notify(["STOPPING=1", "STATUS=stopping"]) }

    /// Reports a status line if it has changed.
    public func status(_ text: String) {
        guard lastStatus.withLock({ $0 != text }) else { return }
        notify(["STATUS=\(text)"], text)
    }

    /// Notifies the watchdog that the service is alive.
    public func beat() { notify(["WATCHDOG=1"]) }

    private func notify(_ lines: [String], _ status: String? = nil) {
        guard let socket else { return }
        if let status { lastStatus.withLock { $0 = status } }
        do {
            try socket.send(Array(lines.joined(separator: "\n").utf8))
        } catch {
            logger.log(.notifyFailed, [.error(error)])
        }
    }
}
