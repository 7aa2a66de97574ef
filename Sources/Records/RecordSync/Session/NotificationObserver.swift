package import Foundation

/// An observation of a notification that ends with its owner.
// Proof of `@unchecked Sendable`: the token is only passed back to the notification centre, which is thread-safe.
package final class NotificationObserver: @unchecked Sendable {
    private let token: any NSObjectProtocol

    package init(_ name: Notification.Name, _ handler: @escaping @Sendable (Notification) -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: handler)
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}
