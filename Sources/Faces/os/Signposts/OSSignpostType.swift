/// The kind of a signpost.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A point in time.
    public static let event = OSSignpostType(rawValue: 0)
    /// The begin of an interval.
    public static let begin = OSSignpostType(rawValue: 1)
    /// The end of an interval.
    public static let end = OSSignpostType(rawValue: 2)

    /// The kind as the lines spell it.
    var word: String {
        switch self {
        case .begin: "begin"
        case .end: "end"
        default: "event"
        }
    }
}
