public import Foundation

extension Progress: KeyValueObservable {
    /// Calls a handler on the delegate's queue when a property of a file transfer's progress changes.
    ///
    /// Foundation on Linux does not support observation: for any other progress, only the option `.initial` calls the
    /// handler.
    public func observe<Value>(
        _ keyPath: KeyPath<Progress, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Progress, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observers = (self as? any ObservedProgress)?.observers ?? ObserverList()
        return observers.add(keyPath, of: self, options: options, handler: changeHandler)
    }
}
