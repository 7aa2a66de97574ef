public import Synchronization

/// A counter that any thread can change.
public final class SharedCount: Sendable {
    @usableFromInline let count = Atomic(0)

    /// Creates a counter with the value 0.
    public init() {}

    /// The current value.
    @inlinable
    public var value: Int { count.load(ordering: .acquiring) }

    /// Adds an amount, which may be negative. Returns the new value.
    @inlinable
    @discardableResult
    public func add(_ amount: Int) -> Int { count.add(amount, ordering: .acquiringAndReleasing).newValue }
}
