/// The publishers of the objects that use the default ``ObservableObject/objectWillChange``. A property that is marked
/// ``Published`` finds the publisher of its object here.
final class ObservedObjects: Sendable {
    private struct Entry {
        weak var object: AnyObject?
        let publisher: ObservableObjectPublisher
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The number of entries at which those of released objects are removed.
        var limit = ObservedObjects.firstLimit
    }

    /// 64: more objects than most programs observe; the limit doubles with the objects that live.
    private static let firstLimit = 64

    static let all = ObservedObjects()

    private let state = Guarded(State())

    /// Returns the object's publisher, and creates it at the first call.
    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        let identifier = ObjectIdentifier(object)
        let (publisher, removed) = state.with { state -> (ObservableObjectPublisher, [Entry]) in
            if let entry = state.entries[identifier], entry.object === object { return (entry.publisher, []) }
            let new = Entry(object: object, publisher: ObservableObjectPublisher())
            var removed = [state.entries.updateValue(new, forKey: identifier)].compactMap(\.self)
            if state.entries.count >= state.limit { removed += sweep(&state) }
            return (new.publisher, removed)
        }
        withExtendedLifetime(removed) {}
        return publisher
    }

    /// Returns the object's publisher if something has asked for it.
    func existingPublisher(of object: AnyObject) -> ObservableObjectPublisher? {
        state.with { state in
            guard let entry = state.entries[ObjectIdentifier(object)], entry.object === object else { return nil }
            return entry.publisher
        }
    }

    /// Removes the publisher of an object that is released.
    func remove(_ identifier: ObjectIdentifier) {
        let removed = state.with { state -> Entry? in
            guard let entry = state.entries[identifier], entry.object == nil else { return nil }
            return state.entries.removeValue(forKey: identifier)
        }
        withExtendedLifetime(removed) {}
    }

    private func sweep(_ state: inout State) -> [Entry] {
        let removed = state.entries.filter { $0.value.object == nil }
        for identifier in removed.keys { state.entries[identifier] = nil }
        state.limit = max(Self.firstLimit, state.entries.count * 2)
        return Array(removed.values)
    }
}
