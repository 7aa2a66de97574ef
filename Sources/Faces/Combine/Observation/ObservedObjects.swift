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

    /// The objects that may be released only outside of the lock. To see whether an object lives is to retain it, and releasing it
    /// may be its end, which comes back here.
    private struct Leftovers {
        var entries: [Entry] = []
        var objects: [AnyObject] = []
    }

    /// 64: more objects than most programs observe; the limit doubles with the objects that live.
    private static let firstLimit = 64

    static let all = ObservedObjects()

    private let state = Guarded(State())

    /// Returns the object's publisher, and creates it at the first call.
    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        let identifier = ObjectIdentifier(object)
        let (publisher, leftovers) = state.with { state -> (ObservableObjectPublisher, Leftovers) in
            var leftovers = Leftovers()
            if let entry = state.entries[identifier], entry.object === object { return (entry.publisher, leftovers) }
            let new = Entry(object: object, publisher: ObservableObjectPublisher())
            if let old = state.entries.updateValue(new, forKey: identifier) { leftovers.entries.append(old) }
            if state.entries.count >= state.limit { sweep(&state, &leftovers) }
            return (new.publisher, leftovers)
        }
        withExtendedLifetime(leftovers) {}
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
        let leftovers = state.with { state in
            var leftovers = Leftovers()
            guard let entry = state.entries[identifier] else { return leftovers }
            if let living = entry.object {
                leftovers.objects.append(living)
            } else if let old = state.entries.removeValue(forKey: identifier) {
                leftovers.entries.append(old)
            }
            return leftovers
        }
        withExtendedLifetime(leftovers) {}
    }

    private func sweep(_ state: inout State, _ leftovers: inout Leftovers) {
        for (identifier, entry) in state.entries {
            if let living = entry.object {
                leftovers.objects.append(living)
            } else {
                state.entries[identifier] = nil
                leftovers.entries.append(entry)
            }
        }
        state.limit = max(Self.firstLimit, state.entries.count * 2)
    }
}
