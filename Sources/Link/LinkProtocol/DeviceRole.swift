/// The end of the link that a device is.
public enum DeviceRole: String, Sendable, CaseIterable {
    /// The phone. It listens.
    case host
    /// The watch. It connects.
    case companion

    /// The role of the peer.
    public var counterpart: DeviceRole {
        switch self {
        case .host: .companion
        case .companion: .host
        }
    }
}
