/// The bounds that keep hostile input from costing more than its size. Callers may lower them; more than the standard is never
/// allowed, so that no caller can lift a bound that protects another.
public struct ArchiveLimits: Sendable, Equatable {
    /// Longest archive read or written, in bytes. 64 MiB: far above any message (256 KiB at most) and any archive seen in the
    /// wild (1 MB).
    public var bytes = 64 * 1024 * 1024 { didSet { bytes = min(bytes, Self.standard.bytes) } }
    /// Deepest nesting of objects. 128: real archives reach 54 (interface files); more would risk a thread's 512 KiB stack.
    public var depth = 128 { didSet { depth = min(depth, Self.standard.depth) } }
    /// Most objects in one archive. 4 million: what fits into the longest archive at the least size of an object, its offset
    /// and a reference to it.
    public var objects = 4 * 1024 * 1024 { didSet { objects = min(objects, Self.standard.objects) } }
    /// Most bytes of texts and data that are copied out of an archive. Whatever is set, never more than the archive is long: an
    /// honest one holds each body once; more is copied only where bodies overlap.
    public var copiedBytes = 64 * 1024 * 1024 { didSet { copiedBytes = min(copiedBytes, Self.standard.copiedBytes) } }
    /// Most memory that decoded values may take by their nominal size (``Nominal``), in bytes. Whatever is set, never more than
    /// ``expansion`` times the archive and ``allowance``: references of one byte could else name one value a million times.
    public var memory = expansion * 64 * 1024 * 1024 + allowance {
        didSet { memory = min(memory, Self.standard.memory) }
    }

    /// How many times the size of the archive its values may take. 4: a reference of two bytes becomes a pointer of eight.
    package static let expansion = 4
    /// What values may take in any case, in bytes. 1 MiB: small archives need not be counted closely.
    package static let allowance = 1024 * 1024

    /// Sizes, in bytes, by which ``memory`` is counted.
    package enum Nominal {
        /// A reference from a collection.
        static let reference = 8
        /// A value of a tree.
        static let value = 16
        /// An object, without its body.
        static let object = 32
    }

    public init() {}

    public static let standard = ArchiveLimits()
}
