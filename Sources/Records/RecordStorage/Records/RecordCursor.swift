/// The position of a reader in a store. Only the store that issued a cursor can interpret it.
public struct RecordCursor: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The position before the first record.
    public static let start = RecordCursor(rawValue: "")

    /// The text that represents it in requests, such as “1200”; empty for ``start``.
    public let rawValue: String

    /// Creates a cursor from its text, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
}
