package import Processes

/// Who may connect to a socket. The user that this process runs as and root always may: neither can be kept out anyway, and a list
/// that forgot them would only shut a service's own commands out.
public enum AccessRule: Equatable, Sendable {
    /// Nobody else.
    case owner
    /// Members of a group as well.
    case group(UInt32)
    /// These users as well.
    case users(Set<UInt32>)

    package func allows(_ peer: PeerCredentials, in namespace: UserNamespace = .current) -> Bool {
        // This number stands for everybody whom the namespace has no number for: whoever let it in would let all of them in.
        guard peer.user != UserNamespace.overflow || namespace.isComplete else { return false }
        if peer.user == 0 || peer.user == namespace.user { return true }
        return switch self {
        case .owner: false
        case .group(let group):
            peer.groups.contains(group) && (group != UserNamespace.overflow || namespace.isComplete)
        case .users(let users): users.contains(peer.user)
        }
    }

    /// The permissions of the socket's file: whoever may not open it could not even knock.
    var fileMode: UInt32 {
        switch self {
        case .owner: 0o600
        case .group: 0o660
        case .users: 0o666
        }
    }
}
