package import Foundation

/// An observation of a notification that ends with its owner.
// Proof of `@unchecked Sendable`: the token is only passed back to the notification centre; both are thread-safe.
package final class NotificationObserver: @unchecked Sendable {
    private let center: NotificationCenter
    private let token: any NSObjectProtocol

    package init(
        _ name: Notification.Name, in center: NotificationCenter = .default,
        _ handler: @escaping @Sendable (Notification) -> Void
    ) {
        self.center = center
        token = center.addObserver(forName: name, object: nil, queue: nil, using: handler)
    }

    deinit { center.removeObserver(token) }
}
