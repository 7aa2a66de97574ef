extension NSFileCoordinator {
    /// The options of a reader, with Apple's raw values. They change nothing here.
    public struct ReadingOptions: OptionSet, Sendable {
        /// The options as a bit mask.
        public let rawValue: UInt
        /// Creates options from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Presenters do not save their changes first.
        public static let withoutChanges = ReadingOptions(rawValue: 1)
        /// The item at the end of a symbolic link is meant.
        public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        /// Only the item's attributes are read.
        public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    }
}
