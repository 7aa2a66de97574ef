public import Foundation
public import KeyValueObservation
import Locking

extension NSObject {
    /// A publisher of the values of an observed property. They are delivered on the thread that changes the property.
    public struct KeyValueObservingPublisher<Subject: KeyValueObservable, Value>: Publisher, Equatable {
        /// The type of the values.
        public typealias Output = Value
        /// The publisher cannot fail.
        public typealias Failure = Never

        /// The observed object. A subscription retains it.
        public let object: Subject
        /// The observed property.
        public let keyPath: KeyPath<Subject.Observed, Value>
        /// The occasions on which a value is sent.
        public let options: NSKeyValueObservingOptions

        /// Creates a publisher of a property's values.
        public init(object: Subject, keyPath: KeyPath<Subject.Observed, Value>, options: NSKeyValueObservingOptions) {
            self.object = object
            self.keyPath = keyPath
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            let outlet = Outlet(subscriber, surplus: .keepLatest)
            let send: UncheckedBox<(Value) -> Void> = UncheckedBox { outlet.send($0) }
            let observation = object.observe(keyPath, options: options.union(.new)) { _, change in
                if let value = change.newValue { send.value(value) }
            }
            outlet.attach(.init(cancelled: { [object] in withExtendedLifetime(object) { observation.invalidate() } }))
            outlet.open()
        }

        public static func == (left: Self, right: Self) -> Bool {
            left.object === right.object && left.keyPath == right.keyPath && left.options == right.options
        }
    }
}

extension KeyValueObservable {
    /// Returns a publisher of the values of a property, such as `WCSession.default.publisher(for: \.isReachable)`.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of the property.
    ///   - options: With `.initial`, the present value comes first.
    public func publisher<Value>(
        for keyPath: KeyPath<Observed, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
        .init(object: self, keyPath: keyPath, options: options)
    }
}
