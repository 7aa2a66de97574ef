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

    @inlinable
    public func take() -> [Element] {
        elements.withLock { elements in
            let all = elements
            elements.removeAll()
            return all
        }
    }
}
