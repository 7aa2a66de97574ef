public import Foundation

extension NotificationCenter {
    /// Calls a method of an observer for each notification, on the thread that posts it, until the observer is removed
    /// or gone.
    ///
    /// - Parameters:
    ///   - observer: The object whose method is called. It is not kept alive.
    ///   - selector: The method, which takes the notification or nothing.
    ///   - name: The name of the notifications; nil for all.
    ///   - object: The sender of the notifications; nil for all.
    public func addObserver(_ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?) {
        SelectorRegistrations.add(
            SelectorRegistration(observer as AnyObject, selector, name, object.map { $0 as AnyObject }, in: self))
    }

    /// Removes an observer: an object with a method, or the result of `addObserver(forName:object:queue:using:)`.
    public func removeObserver(_ observer: AnyObject) {
        SelectorRegistrations.remove { $0.isOf(observer, in: self) }
        removeObserver(observer as Any)
    }

    /// Removes an observer of the notifications of a name and a sender; nil for all.
    public func removeObserver(_ observer: AnyObject, name: NSNotification.Name?, object: Any?) {
        let sender = object.map { $0 as AnyObject }
        SelectorRegistrations.remove { $0.isOf(observer, in: self) && $0.isFor(name, sender) }
        removeObserver(observer as Any, name: name, object: object)
    }
}
