public import Synchronization

/// A mark that any thread may set, and look at.
public final class SharedFlag: Sendable {
    @usableFromInline let flag = Atomic(false)

    public init() {}

    @inlinable
    public var isSet: Bool { flag.load(ordering: .acquiring) }

    @inlinable
    public func set(_ isSet: Bool = true) { flag.store(isSet, ordering: .releasing) }

    /// Sets it.
    ///
    /// - Returns: Whether this call did: true for one of all callers.
    @inlinable
    public func take() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
}
