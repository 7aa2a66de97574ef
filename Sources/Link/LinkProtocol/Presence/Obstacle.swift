/// The reason why a watch cannot reach its phone, as far as the watch knows.
public enum Obstacle: Equatable, Sendable, CustomStringConvertible {
    /// The watch's session is not activated.
    case notActivated
    /// There is no connection. The reason is the last failure; nil before the first attempt.
    case notConnected(reason: String?)
    /// The phone serves another watch or removed the watch's app.
    case phoneDoesNotServe
    /// The phone does not have the app.
    case phoneLacksApp
    /// The phone has not been unlocked since its restart.
    case phoneIsLocked
    /// The watch's app is not in the foreground.
    case notInForeground
    /// The watch does not have the app.
    case lacksApp
    /// A fault on demand makes every counterpart unreachable.
    case faultOnDemand

    public var description: String {
        switch self {
        case .notActivated: "this device's session is not activated"
        case .notConnected(let reason): "not connected to the host\(reason.map { ": \($0)" } ?? " yet")"
        case .phoneDoesNotServe:
            "the host does not serve this watch: another watch is active, or the host removed its app (“watchlink watches list”)"
        case .phoneLacksApp: "the host lacks the app (“watchlink device host install”)"
        case .phoneIsLocked: "the host has not been unlocked since its restart (“watchlink device host unlock”)"
        case .notInForeground:
            "the companion's app is not in the foreground (“watchlink device companion foreground”, “wrist-up”)"
        case .lacksApp: "the companion lacks the app (“watchlink device companion install”)"
        case .faultOnDemand:
            "a fault on demand makes every counterpart unreachable (“watchlink faults companion reachability right”)"
        }
    }
}
