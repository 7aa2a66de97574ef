import Foundation
import Locking

/// An observer of notifications with the method that receives them. Neither the observer nor the center is kept alive.
// Proof of `@unchecked Sendable`: all is constant but the token, which is behind a lock; the runtime guards weak references.
final class SelectorRegistration: @unchecked Sendable {
    // In its `deinit`, an object is no longer found by weak references, but still removes itself.
    private let observerIdentifier: ObjectIdentifier
    private let centerIdentifier: ObjectIdentifier
    private weak var observer: AnyObject?
    private weak var center: NotificationCenter?
    private let selector: Selector
    private let name: Notification.Name?
    // Held as long as the center itself holds it for its comparisons.
    private let object: AnyObject?
    private let token = Mutex<UncheckedBox<any NSObjectProtocol>?>(nil)

    init(
        _ observer: AnyObject, _ selector: Selector, _ name: Notification.Name?, _ object: AnyObject?,
        in center: NotificationCenter
    ) {
        observerIdentifier = ObjectIdentifier(observer)
        centerIdentifier = ObjectIdentifier(center)
        self.observer = observer
        self.center = center
        self.selector = selector
        self.name = name
        self.object = object
    }

    var isOver: Bool { observer == nil || center == nil }

    func start() {
        guard let center else { return }
        let added = center.addObserver(forName: name, object: object, queue: nil) { [weak self] notification in
            self?.tell(notification)
        }
        token.withLock { $0 = UncheckedBox(added) }
    }

    func end() {
        guard let added = token.withLock({ $0 }) else { return }
        center?.removeObserver(added.value as Any)
    }

    func isOf(_ observer: AnyObject, in center: NotificationCenter) -> Bool {
        observerIdentifier == ObjectIdentifier(observer) && centerIdentifier == ObjectIdentifier(center)
    }

    /// Returns true if the registration is for a name and an object; nil stands for all.
    func isFor(_ name: Notification.Name?, _ object: AnyObject?) -> Bool {
        (name == nil || name == self.name) && (object == nil || object === self.object)
    }

    private func tell(_ notification: Notification) {
        guard let observer else { return }
        selector.perform(on: observer, with: notification)
    }
}
