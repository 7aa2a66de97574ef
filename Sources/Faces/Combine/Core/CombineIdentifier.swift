import Synchronization

/// An identifier of a subscriber or a subscription, unique in the process.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
    private static let last = Atomic<UInt64>(0)

    private let number: UInt64

    /// Creates a new identifier.
    public init() { number = Self.last.add(1, ordering: .relaxed).newValue }

    /// Creates the identifier of an object.
    public init(_ object: AnyObject) { number = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

    public var description: String { "0x" + String(number, radix: 16) }
}
