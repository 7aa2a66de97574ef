public import Foundation

/// An object that is told of changes of properties that text names. On Apple's platforms, every object of Objective-C
/// is one, and a class overrides the method; a copy of `watchlink adopt` declares the conformance instead.
public protocol KeyPathObserver: NSObject {
    /// Receives a change of an observed property, on the thread that changes it.
    ///
    /// - Parameters:
    ///   - keyPath: The name under which the property is observed.
    ///   - object: The object that has the property.
    ///   - change: The values that the options ask for: numbers as `NSNumber`, an enumeration as its raw value, nil as
    ///     `NSNull`.
    ///   - context: The pointer that the observation was started with.
    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?)
}
