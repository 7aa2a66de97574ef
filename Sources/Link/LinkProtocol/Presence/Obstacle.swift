/// What keeps a watch from reaching its phone, as the watch knows it.
public enum Obstacle: Equatable, Sendable, CustomStringConvertible {
    case notActivated
    /// There is no connection, and why the last one could not be made or ended. Nil if none was tried yet.
    case notConnected(reason: String?)
    case phoneDoesNotServe
    case phoneLacksApp
    case phoneIsLocked
    case notInForeground
    case lacksApp
    /// A fault on demand says that nobody is reachable.
    case faultOnDemand

    public var description: String {
        switch self {
        case .notActivated: "this device's session is not activated"
        case .notConnected(let reason): "not connected to the host\(reason.map { ": \($0)" } ?? " yet")"
        case .phoneDoesNotServe:
            "the host does not serve this watch: another one is active, or its app was removed there (“watchlink watches list”)"
        case .phoneLacksApp: "the host lacks the app (“watchlink device host install”)"
        case .phoneIsLocked: "the host restarted and was not unlocked since (“watchlink device host unlock”)"
        case .notInForeground:
            "the companion's app is not in the foreground (“watchlink device companion foreground”, “wrist-up”)"
        case .lacksApp: "the companion lacks the app (“watchlink device companion install”)"
        case .faultOnDemand:
            "a fault on demand makes nobody reachable (“watchlink faults companion reachability right”)"
        }
    }
}
