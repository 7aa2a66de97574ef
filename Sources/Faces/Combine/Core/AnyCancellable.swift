/// A cancellable of any type, which is cancelled when it is released.
public final class AnyCancellable: Cancellable {
    private let action: Guarded<(() -> Void)?>

    /// Creates a cancellable that calls a closure when it is cancelled.
    public init(_ cancel: @escaping () -> Void) { action = Guarded(cancel) }

    /// Creates a cancellable that wraps another.
    public init<C: Cancellable>(_ canceller: C) { action = Guarded(canceller.cancel) }

    deinit { cancel() }

    /// Cancels the activity. Further calls do nothing.
    public func cancel() {
        let action = action.take()
        action?()
    }

    /// Stores this cancellable in a collection.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self)
    }

    /// Stores this cancellable in a set.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
}

extension AnyCancellable: Hashable {
    /// Returns true if both are the same object.
    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
