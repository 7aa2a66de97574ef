/// Collects what many threads bring, for one that takes all of it at once.
public final class Batch<Element: Sendable>: Sendable {
    @usableFromInline let elements = Mutex<[Element]>([])

    public init() {}

    /// Whether it was empty: then somebody must be told to take.
    @inlinable
    public func add(_ element: Element) -> Bool {
        elements.withLock { elements in
            elements.append(element)
            return elements.count == 1
        }
    }

    /// The same for many.
    @inlinable
    public func add(contentsOf more: [Element]) -> Bool {
        elements.withLock { elements in
            elements.append(contentsOf: more)
            return elements.count == more.count && !more.isEmpty
        }
    }

    @inlinable
    public var isEmpty: Bool { elements.withLock { $0.isEmpty } }

    @inlinable
    public func take() -> [Element] {
        var all: [Element] = []
        take(into: &all)
        return all
    }

    /// The same into an empty array, whose room the next elements get: for batches that come all the time.
    @inlinable
    public func take(into room: inout [Element]) {
        elements.withLock { swap(&$0, &room) }
    }
}
