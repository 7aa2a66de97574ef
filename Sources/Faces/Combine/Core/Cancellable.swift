/// An activity that can be cancelled.
public protocol Cancellable {
    /// Cancels the activity. Further calls do nothing.
    func cancel()
}

extension Cancellable {
    /// Stores a type-erased cancellable in a collection.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        AnyCancellable(self).store(in: &collection)
    }

    /// Stores a type-erased cancellable in a set.
    public func store(in set: inout Set<AnyCancellable>) {
        AnyCancellable(self).store(in: &set)
    }
}
