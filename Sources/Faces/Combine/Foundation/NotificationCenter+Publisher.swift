public import Foundation
import Locking

extension NotificationCenter {
    /// A publisher of the notifications that a center posts. They are delivered on the thread that posts them.
    public struct Publisher: Combine.Publisher {
        /// The type of the values.
        public typealias Output = Notification
        /// The publisher cannot fail.
        public typealias Failure = Never

        /// The center.
        public let center: NotificationCenter
        /// The name of the notifications.
        public let name: Notification.Name
        /// The object that posts them; nil for any.
        public let object: AnyObject?

        /// Creates a publisher of notifications.
        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            self.center = center
            self.name = name
            self.object = object
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            let outlet = Outlet(subscriber, surplus: .drop)
            let send: UncheckedBox<(Notification) -> Void> = UncheckedBox { outlet.send($0) }
            let token = center.addObserver(forName: name, object: object, queue: nil) { send.value($0) }
            outlet.attach(.init(cancelled: { [center] in center.removeObserver(token) }))
            outlet.open()
        }
    }

    /// Returns a publisher of the notifications of a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The object that posts them; nil for any.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }
}
