/// Collects elements from many threads for one consumer, which takes all of them together.
public final class Batch<Element: Sendable>: Sendable {
    @usableFromInline let elements = Mutex<[Element]>([])

    /// Creates an empty batch.
    public init() {}

    /// Adds an element. Returns true if the batch was empty, so that the consumer must be woken.
    @inlinable
    public func add(_ element: Element) -> Bool {
        elements.withLock { elements in
            elements.append(element)
            return elements.count == 1
        }
    }

    /// Adds elements. Returns true if the batch was empty, so that the consumer must be woken.
    @inlinable
    public func add(contentsOf more: [Element]) -> Bool {
        elements.withLock { elements in
            elements.append(contentsOf: more)
            return elements.count == more.count && !more.isEmpty
        }
    }

    /// True if there are no elements.
    @inlinable
    public var isEmpty: Bool { elements.withLock { $0.isEmpty } }

    /// Removes and returns all elements, in the order in which they were added.
    @inlinable
    public func take() -> [Element] {
        var all: [Element] = []
        take(into: &all)
        return all
    }

    /// Removes all elements into an empty array, whose storage is reused for the next ones: for frequent batches.
    @inlinable
    public func take(into room: inout [Element]) {
        elements.withLock { swap(&$0, &room) }
    }
}
