import Glibc

/// Who may connect to a socket.
public enum AccessRule: Equatable, Sendable {
    /// The user that this process runs as, and nobody else.
    case owner
    /// Exactly these users.
    case users(Set<UInt32>)

    package func allows(_ credentials: PeerCredentials) -> Bool {
        switch self {
        case .owner: credentials.user == geteuid()
        case .users(let users): users.contains(credentials.user)
        }
    }
}
