import CLinux
import Glibc

/// Who is at the other end of a Unix socket, as the kernel vouches for it.
package struct PeerCredentials: Equatable, Sendable {
    package let user: UInt32
    package let process: Int32

    package init(of descriptor: borrowing Descriptor) throws(SystemError) {
        var credentials = watchlink_credentials()
        guard watchlink_peer_credentials(descriptor.number, &credentials) == 0 else {
            throw SystemError("read the credentials of", on: "a peer")
        }
        user = credentials.user
        process = credentials.process
    }
}

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
