public import Foundation
import Locking

/// How each message's status went, for people to look at: an observer of ``Foundation/NSNotification/Name/messageStatusDidChange``.
public final class MessageHistory: Sendable {
    public struct Entry: Sendable, Equatable {
        public let identifier: UUID
        public fileprivate(set) var statuses: [DeliveryStatus]
        /// Why it failed last, if it did.
        public fileprivate(set) var errorMessage: String?
    }

    /// Messages that are remembered. 1,000: enough for a person, a megabyte at most.
    public static let capacity = 1_000
    /// Statuses of one message that are remembered: 32 tries.
    private static let statusesPerMessage = 64

    private struct History {
        var entries: [UUID: Entry] = [:]
        var order = Deque<UUID>()
        var counts: [DeliveryStatus: Int] = [:]
    }

    private let history = Mutex(History())
    private let observer = Mutex<NotificationObserver?>(nil)

    public init() {
        let token = NotificationObserver(.messageStatusDidChange) { [weak self] notification in
            guard let package = notification.object as? MessagePackage else { return }
            self?.add(package)
        }
        observer.withLock { $0 = token }
    }

    /// The remembered messages, in the order of their first status.
    public var entries: [Entry] {
        history.withLock { history in history.order.compactMap { history.entries[$0] } }
    }

    /// How often a message took a status since the process started.
    public func count(of status: DeliveryStatus) -> Int { history.withLock { $0.counts[status] ?? 0 } }

    private func add(_ package: MessagePackage) {
        history.withLock { history in
            history.counts[package.status, default: 0] += 1
            var entry =
                history.entries[package.identifier]
                ?? Entry(identifier: package.identifier, statuses: [], errorMessage: nil)
            if entry.statuses.isEmpty { history.order.append(package.identifier) }
            if entry.statuses.count < Self.statusesPerMessage { entry.statuses.append(package.status) }
            entry.errorMessage = package.errorMessage
            history.entries[package.identifier] = entry
            if history.order.count > Self.capacity, let oldest = history.order.first {
                history.order.removeFirst()
                history.entries[oldest] = nil
            }
        }
    }
}
