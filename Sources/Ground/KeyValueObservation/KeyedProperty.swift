import Foundation

/// A property of an object, ready to be observed without its type.
package struct KeyedProperty {
    typealias Handler = (_ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void

    let observe: (NSKeyValueObservingOptions, @escaping Handler) -> NSKeyValueObservation

    /// Describes the property of an object.
    package init<Object: KeyValueObservable, Value>(_ keyPath: KeyPath<Object.Observed, Value>, of object: Object) {
        observe = { options, handler in
            object.observe(keyPath, options: options) { observed, change in
                var values: [NSKeyValueChangeKey: Any] = [.kindKey: NSNumber(value: change.kind.rawValue)]
                if let new = change.newValue { values[.newKey] = Self.object(new) }
                if let old = change.oldValue { values[.oldKey] = Self.object(old) }
                handler(observed, values)
            }
        }
    }

    /// Returns a value as Objective-C has it.
    ///
    /// A number as such would be found by a cast to its own type only, a `NSNumber` by those to all types of numbers.
    private static func object(_ value: Any) -> Any {
        switch value {
        case let value as any RawRepresentable: object(value.rawValue)
        case Optional<Any>.none: NSNull()
        case let number as NSNumber: number
        default: value
        }
    }
}
