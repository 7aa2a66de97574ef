/// The bounds that keep hostile input from costing more than its size. Callers may lower them.
public struct ArchiveLimits: Sendable, Equatable {
    /// Longest input read, in bytes. 64 MiB: far above any message (256 KiB at most) and any archive seen in the wild (1 MB).
    public var bytes = 64 * 1024 * 1024
    /// Deepest nesting of objects. 128: real archives reach 54 (interface files); more would risk a thread's 512 KiB stack.
    public var depth = 128
    /// Most objects in one archive. 4 million: what fits into the longest input at the least size of an object and its offset.
    public var objects = 4 * 1024 * 1024

    public init() {}

    public static let standard = ArchiveLimits()
}
