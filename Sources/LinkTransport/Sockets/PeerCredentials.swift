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
