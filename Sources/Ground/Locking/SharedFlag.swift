public import Synchronization

/// A flag that any thread can set and read.
public final class SharedFlag: Sendable {
    @usableFromInline let flag = Atomic(false)

    /// Creates a flag that is not set.
    public init() {}

    /// True if the flag is set.
    @inlinable
    public var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Sets or clears the flag.
    @inlinable
    public func set(_ isSet: Bool = true) { flag.store(isSet, ordering: .releasing) }

    /// Sets the flag.
    ///
    /// - Returns: True if this call set it: for exactly one of all callers.
    @inlinable
    public func take() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
}
