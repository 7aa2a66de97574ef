/// Limits that keep hostile input from costing more than its size.
///
/// Callers may lower them. A value above the standard is reduced to the standard, so that no caller can raise a limit
/// that protects another.
public struct ArchiveLimits: Sendable, Equatable {
    /// The maximum size of an archive that is read or written, in bytes. 64 MiB: far above any message (at most 256
    /// KiB) and any archive seen in practice (1 MB).
    public var bytes = 64 * 1024 * 1024 { didSet { bytes = min(bytes, Self.standard.bytes) } }
    /// The maximum nesting of objects. 128: real archives reach 54 (interface files); more could overflow a thread's
    /// 512 KiB stack.
    public var depth = 128 { didSet { depth = min(depth, Self.standard.depth) } }
    /// The maximum number of objects in an archive. 4 million: as many as fit into the longest archive with the
    /// smallest possible object, its offset and one reference to it.
    public var objects = 4 * 1024 * 1024 { didSet { objects = min(objects, Self.standard.objects) } }
    /// The maximum number of bytes of text and data that are copied from an archive. Never more than the archive's
    /// size: a well-formed archive contains each body once; more is copied only where bodies overlap.
    public var copiedBytes = 64 * 1024 * 1024 { didSet { copiedBytes = min(copiedBytes, Self.standard.copiedBytes) } }
    /// The maximum memory of the decoded values by their nominal size (`Nominal`), in bytes. Never more than
    /// `expansion` times the archive plus `allowance`: otherwise one-byte references could name one value a million
    /// times.
    public var memory = expansion * 64 * 1024 * 1024 + allowance {
        didSet { memory = min(memory, Self.standard.memory) }
    }

    /// The memory of decoded values as a multiple of the archive's size. 4: a reference of two bytes becomes a pointer
    /// of eight.
    package static let expansion = 4
    /// The memory that values may always take, in bytes. 1 MiB: small archives need no exact count.
    package static let allowance = 1024 * 1024

    /// The sizes that ``memory`` counts, in bytes.
    package enum Nominal {
        /// A reference from a collection.
        static let reference = 8
        /// A value of a tree.
        static let value = 16
        /// An object, without its body.
        static let object = 32
    }

    /// Creates the standard limits.
    public init() {}

    /// The standard limits, which are also the highest ones.
    public static let standard = ArchiveLimits()
}
