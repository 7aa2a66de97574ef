public import Synchronization

/// A number that any thread may change.
public final class SharedCount: Sendable {
    @usableFromInline let count = Atomic(0)

    public init() {}

    @inlinable
    public var value: Int { count.load(ordering: .acquiring) }

    @inlinable
    public func add(_ amount: Int) { count.add(amount, ordering: .acquiringAndReleasing) }
}
