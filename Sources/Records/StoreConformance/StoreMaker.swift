public import RecordStorage

/// The way to the stores under test.
public struct StoreMaker: Sendable {
    /// True if several hosts can use one store.
    public let isShared: Bool
    /// Opens the store of a kind as a host. The first use makes it, empty; later ones, also of other hosts, find its
    /// records.
    public let open: @Sendable (_ kind: RecordKind, _ host: String) throws -> any RecordStore
    /// Removes the store of a kind with all its records.
    public let remove: @Sendable (_ kind: RecordKind) throws -> Void

    /// Creates a way to stores.
    public init(
        isShared: Bool, open: @escaping @Sendable (_ kind: RecordKind, _ host: String) throws -> any RecordStore,
        remove: @escaping @Sendable (_ kind: RecordKind) throws -> Void = { _ in }
    ) {
        self.isShared = isShared
        self.open = open
        self.remove = remove
    }
}
