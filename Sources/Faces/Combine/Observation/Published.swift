/// A property of a class with a publisher of its values, which sends each value before the property has it.
///
/// In an ``ObservableObject`` the object's publisher sends first.
@propertyWrapper
public struct Published<Value> {
    private let storage: PublishedStorage<Value>

    /// Creates a property with its first value.
    public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }

    /// Creates a property with its first value.
    public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

    /// Not available: only properties of classes can be published.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.set(newValue) }
    }

    /// The publisher of the property's values; new subscribers receive the current value first.
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        // Written back by `assign(to:)`, which takes the publisher as an inout argument.
        nonmutating set {}
    }

    /// The property's value; the compiler calls this with the object that has the property.
    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].storage.value }
        set {
            let storage = object[keyPath: storageKeyPath].storage
            storage.belong(to: object)
            storage.set(newValue)
        }
    }

    /// The property's publisher; the compiler calls this with the object that has the property.
    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        projected projectedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Publisher>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Publisher {
        get {
            let storage = object[keyPath: storageKeyPath].storage
            storage.belong(to: object)
            return Publisher(storage: storage)
        }
        set {}
    }
}

extension Published {
    /// The publisher of a property's values.
    public struct Publisher: Combine.Publisher {
        /// The type of the values.
        public typealias Output = Value
        /// The publisher cannot fail.
        public typealias Failure = Never

        let storage: PublishedStorage<Value>

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            storage.attach(subscriber)
        }
    }
}

extension Publisher where Failure == Never {
    /// Sets a published property to each value, as long as the property exists or until the publisher ends.
    public func assign(to published: inout Published<Output>.Publisher) {
        let storage = published.storage
        let sink = Subscribers.Sink<Output, Never>(
            receiveCompletion: { _ in }, receiveValue: { [weak storage] in storage?.set($0) })
        storage.keep(AnyCancellable(sink))
        subscribe(sink)
    }
}
