public import Foundation

/// An object that tells observers when its properties change: a session or a progress. On Apple's platforms, every
/// object of Objective-C does.
public protocol KeyValueObservable: NSObject {
    /// The class that declares the properties.
    associatedtype Observed: NSObject

    /// Calls a handler when a property changes, for as long as the result exists and is not invalidated.
    func observe<Value>(
        _ keyPath: KeyPath<Observed, Value>, options: NSKeyValueObservingOptions,
        changeHandler: @escaping (Observed, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation
}
