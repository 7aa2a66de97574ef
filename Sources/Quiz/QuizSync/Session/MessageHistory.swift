public import Foundation
import Locking
import Metrics

/// How each message's status went, for people to look at: an observer of ``Foundation/NSNotification/Name/messageStatusDidChange``.
public final class MessageHistory: Sendable {
    public struct Entry: Sendable, Equatable {
        public let identifier: UUID
        public fileprivate(set) var statuses: [DeliveryStatus]
        /// Why it failed last, if it did.
        public fileprivate(set) var errorMessage: String?

        fileprivate mutating func add(_ package: MessagePackage) {
            if statuses.count < MessageHistory.statusesPerMessage { statuses.append(package.status) }
            errorMessage = package.errorMessage
        }
    }

    /// Messages that are remembered. 1,000: enough for a person, a megabyte at most.
    public static let capacity = 1_000
    /// Statuses of one message that are remembered: 32 tries.
    fileprivate static let statusesPerMessage = 64

    private struct History {
        var entries: [UUID: Entry] = [:]
        var order = Deque<UUID>()
    }

    private let history = Mutex(History())
    private let counts = CaseTable { (_: DeliveryStatus) in SharedCount() }
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
    public func count(of status: DeliveryStatus) -> Int { counts[status]?.value ?? 0 }

    private func add(_ package: MessagePackage) {
        counts[package.status]?.add(1)
        history.withLock { history in
            if let place = history.entries.index(forKey: package.identifier) {
                history.entries.values[place].add(package)
            } else {
                var entry = Entry(identifier: package.identifier, statuses: [], errorMessage: nil)
                entry.add(package)
                history.entries[package.identifier] = entry
                history.order.append(package.identifier)
            }
            if history.order.count > Self.capacity, let oldest = history.order.first {
                history.order.removeFirst()
                history.entries[oldest] = nil
            }
        }
    }
}
