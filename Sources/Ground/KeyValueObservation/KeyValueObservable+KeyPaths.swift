public import Foundation

/// Observation of properties that text names. Where Apple's raise an exception, these end the program with a message.
extension KeyValueObservable {
    /// Tells an observer of each change of a property until it is removed, or it or this object is gone.
    ///
    /// - Parameters:
    ///   - observer: The observer, a ``KeyPathObserver``. It is not kept alive.
    ///   - keyPath: The name of the property, such as `reachable`; the getter's, such as `isReachable`, is the same.
    ///   - options: The values that the observer receives. With `.initial`, it is told once before this method returns.
    ///   - context: A pointer that the observer receives, to tell its observations apart.
    public func addObserver(
        _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer?
    ) {
        guard let property = (self as? any KeyCoded)?.property(named: keyPath) else {
            fatalError(
                "\(type(of: self)) has no property “\(keyPath)” that \(type(of: observer)) could observe; the names are "
                    + "those of Objective-C, such as “reachable”, without further ones after a dot")
        }
        let registration = KeyPathRegistration(observer, of: self, keyPath, context)
        KeyPathRegistrations.add(registration)
        registration.start(property, options)
    }

    /// Ends the latest observation of a property by an observer.
    public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
        let isFound = KeyPathRegistrations.remove { $0.isOf(observer, self, keyPath) }
        if !isFound { refuseToRemove(observer, keyPath) }
    }

    /// Ends the latest observation of a property that an observer started with a context.
    public func removeObserver(
        _ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        let isFound = KeyPathRegistrations.remove {
            $0.isOf(observer, self, keyPath) && $0.context == context
        }
        if !isFound { refuseToRemove(observer, keyPath) }
    }

    private func refuseToRemove(_ observer: NSObject, _ keyPath: String) -> Never {
        fatalError(
            "\(type(of: observer)) is removed as an observer of “\(keyPath)” of \(type(of: self)) but is none; remove it "
                + "once for each time that it was added")
    }
}
