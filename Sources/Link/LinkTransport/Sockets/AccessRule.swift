package import Processes

/// The users that may connect to a socket. Root and the user of this process are always admitted: neither can be kept
/// out effectively, and omitting them from a list would lock out a service's own commands.
public enum AccessRule: Equatable, Sendable {
    /// No other users.
    case owner
    /// Members of this group as well.
    case group(UInt32)
    /// These users as well.
    case users(Set<UInt32>)

    package func allows(_ peer: PeerCredentials, in namespace: UserNamespace = .current) -> Bool {
        // The overflow user stands for all users that are not mapped into the namespace, so admitting it would admit
        // all of them.
        guard peer.user != UserNamespace.overflow || namespace.isComplete else { return false }
        if peer.user == 0 || peer.user == namespace.user { return true }
        return switch self {
        case .owner: false
        case .group(let group):
            peer.groups.contains(group) && (group != UserNamespace.overflow || namespace.isComplete)
        case .users(let users): users.contains(peer.user)
        }
    }

    /// The permissions of the socket file, without which a user cannot even connect.
    var fileMode: UInt32 {
        switch self {
        case .owner: 0o600
        case .group: 0o660
        case .users: 0o666
        }
    }
}
