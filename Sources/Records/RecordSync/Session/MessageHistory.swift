public import Foundation
import Locking
import Metrics

/// The history of each message's statuses, for inspection: an observer of
/// ``Foundation/NSNotification/Name/messageStatusDidChange``.
public final class MessageHistory: Sendable {
    /// The history of one message.
    public struct Entry: Sendable, Equatable {
        /// The identifier of the message.
        public let identifier: UUID
        /// The statuses in their order, up to 64.
        public fileprivate(set) var statuses: [DeliveryStatus]
        /// The error of the latest status; nil if the message has not failed.
        public fileprivate(set) var errorMessage: String?

        fileprivate init(_ package: MessagePackage) {
            identifier = package.identifier
            // Nearly every message has two; an array of one grows to them by moving.
            statuses = []
            statuses.reserveCapacity(2)
            add(package)
        }

        fileprivate mutating func add(_ package: MessagePackage) {
            if statuses.count < MessageHistory.statusesPerMessage { statuses.append(package.status) }
            errorMessage = package.errorMessage
        }
    }

    /// The number of messages that are kept. 1,000: enough for a person, a megabyte at most.
    public static let capacity = 1_000
    /// The number of statuses kept per message: 32 attempts.
    fileprivate static let statusesPerMessage = 64

    private struct History {
        var entries: [IdentifierKey: Entry] = [:]
        var order = Deque<IdentifierKey>()
    }

    private let history = Mutex(History())
    private let counts = CaseTable { (_: DeliveryStatus) in SharedCount() }
    private let observer = Mutex<NotificationObserver?>(nil)

    /// Starts observing.
    public convenience init() { self.init(in: .default) }

    init(in center: NotificationCenter) {
        let token = NotificationObserver(.messageStatusDidChange, in: center) { [weak self] notification in
            guard let package = notification.object as? MessagePackage else { return }
            self?.add(package)
        }
        observer.withLock { $0 = token }
    }

    /// The messages, in the order of their first status.
    public var entries: [Entry] {
        history.withLock { history in history.order.compactMap { history.entries[$0] } }
    }

    /// Returns how often messages had a status since this history was created.
    public func count(of status: DeliveryStatus) -> Int { counts[status]?.value ?? 0 }

    private func add(_ package: MessagePackage) {
        counts[package.status]?.add(1)
        let key = IdentifierKey(package.identifier)
        history.withLock { history in
            if let place = history.entries.index(forKey: key) {
                history.entries.values[place].add(package)
            } else {
                history.entries[key] = Entry(package)
                history.order.append(key)
            }
            if history.order.count > Self.capacity, let oldest = history.order.first {
                history.order.removeFirst()
                history.entries[oldest] = nil
            }
        }
    }
}
