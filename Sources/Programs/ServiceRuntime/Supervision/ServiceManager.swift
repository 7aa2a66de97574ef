public import EventLog
import Foundation
import Glibc
import LinkTransport
import Locking

/// Tells the service manager how the service is, as sd_notify(3) documents it. Without a manager all of it does nothing.
public final class ServiceManager: Sendable {
    private let socket: NotificationSocket?
    private let logger: Logger
    /// How often the manager wants a sign of life; nil if it wants none. Half of what it waits, as it recommends.
    public let watchdogPeriod: Duration?
    private let lastStatus = Mutex("")

    public init(environment: [String: String], logger: Logger) {
        self.logger = logger
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
            .map(NotificationSocket.init(path:))
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        let period = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 0 ? $0 : nil }
        watchdogPeriod = isMeant && socket != nil ? period.map { .microseconds($0 / 2) } : nil
    }

    public var isPresent: Bool { socket != nil }

    public func ready(_ status: String) { notify(["READY=1", "STATUS=\(status)"], status) }

    /// The configuration is read again; ``ready(_:)`` follows. The time lets the manager tell this reload from an earlier one.
    public func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        notify(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)"])
    }

    public func stopping() { notify(["STOPPING=1", "STATUS=stopping"]) }

    /// A line for people, if it is another one than before.
    public func status(_ text: String) {
        guard lastStatus.withLock({ $0 != text }) else { return }
        notify(["STATUS=\(text)"], text)
    }

    /// The service is alive.
    public func beat() { notify(["WATCHDOG=1"]) }

    private func notify(_ lines: [String], _ status: String? = nil) {
        guard let socket else { return }
        if let status { lastStatus.withLock { $0 = status } }
        do {
            try socket.send(lines.joined(separator: "\n"))
        } catch {
            logger.log(.notifyFailed, [.error(error)])
        }
    }
}
