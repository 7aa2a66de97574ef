extension NSFileCoordinator {
    /// The options of a writer, with Apple's raw values. They change nothing here.
    public struct WritingOptions: OptionSet, Sendable {
        /// The options as a bit mask.
        public let rawValue: UInt
        /// Creates options from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The item is removed.
        public static let forDeleting = WritingOptions(rawValue: 1)
        /// The item is moved.
        public static let forMoving = WritingOptions(rawValue: 2)
        /// The item is changed.
        public static let forMerging = WritingOptions(rawValue: 4)
        /// The item is replaced by another one.
        public static let forReplacing = WritingOptions(rawValue: 8)
        /// Only attributes are written that do not depend on the content.
        public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
    }
}
