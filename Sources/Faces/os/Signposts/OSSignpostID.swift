import Synchronization

/// An identifier that tells intervals with the same name apart.
public struct OSSignpostID: RawRepresentable, Hashable, Comparable, Sendable {
    private static let last = Atomic<UInt64>(0)

    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates an identifier from a number.
    public init(_ value: UInt64) { self.init(rawValue: value) }

    /// Creates a new identifier.
    public init(log: OSLog) { self.init(Self.last.add(1, ordering: .relaxed).newValue) }

    /// Creates the identifier of an object.
    public init(log: OSLog, object: AnyObject) { self.init(UInt64(UInt(bitPattern: ObjectIdentifier(object)))) }

    /// The identifier of intervals that do not overlap.
    public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
    /// An identifier that is not valid.
    public static let invalid = OSSignpostID(UInt64.max)
    /// The identifier of disabled signposts.
    public static let null = OSSignpostID(0)

    /// Returns true if the left identifier is the smaller number.
    public static func < (left: OSSignpostID, right: OSSignpostID) -> Bool { left.rawValue < right.rawValue }
}
