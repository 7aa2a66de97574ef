/// The privacy of a value in a message.
public struct OSLogPrivacy: Hashable, Sendable {
    /// The mark that is written instead of a private value.
    public enum Mask: Hashable, Sendable {
        /// A hash, by which equal values of one process are recognised.
        case hash
        /// Nothing of the value.
        case none
    }

    private enum Level {
        case open, hidden, secret, automatic
    }

    private let level: Level
    private let mask: Mask

    private init(_ level: Level, _ mask: Mask = .none) {
        self.level = level
        self.mask = mask
    }

    /// The value is written.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(.open) }
    /// The value is written as `<private>`, unless private values are shown.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(.hidden) }
    /// The value is always written as `<private>`, even if private values are shown.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(.secret) }
    /// Numbers are public; strings and objects are private.
    public static var auto: OSLogPrivacy { OSLogPrivacy(.automatic) }

    /// The value is written as its mask, unless private values are shown.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(.hidden, mask) }
    /// The value is always written as its mask.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(.secret, mask) }
    /// The value is written as its mask if it is private.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(.automatic, mask) }

    /// Returns the value or the mark instead of it.
    func shown(isPrivateByDefault: Bool, showsPrivate: Bool, _ value: () -> String) -> String {
        let isHidden =
            switch level {
            case .open: false
            case .hidden: !showsPrivate
            case .secret: true
            case .automatic: isPrivateByDefault && !showsPrivate
            }
        guard isHidden else { return value() }
        guard mask == .hash else { return "<private>" }
        // The seed differs between processes: a hash cannot be looked up in a table of known values.
        return "<mask.hash: '\(String(UInt(bitPattern: value().hashValue), radix: 16))'>"
    }
}
