import CLinux
package import Files
import Glibc

/// The identity of the peer of a Unix socket, as reported by the kernel.
package struct PeerCredentials: Equatable, Sendable {
    /// The most groups of a process (NGROUPS_MAX).
    private static let maximumGroups = 65_536

    package let user: UInt32
    package let process: Int32
    /// The primary group and all supplementary groups.
    package let groups: Set<UInt32>

    package init(user: UInt32, process: Int32, groups: Set<UInt32>) {
        self.user = user
        self.process = process
        self.groups = groups
    }

    package init(of descriptor: borrowing Descriptor) throws(SystemError) {
        var credentials = watchlink_credentials()
        guard watchlink_peer_credentials(descriptor.number, &credentials) == 0 else {
            throw SystemError("read the credentials of", on: "a peer")
        }
        self.init(
            user: credentials.user, process: credentials.process,
            groups: Set(try Self.groups(descriptor.number)).union([credentials.group]))
    }

    private static func groups(_ number: Int32) throws(SystemError) -> [UInt32] {
        // 32 suffice for nearly all processes; the others need a second call.
        var groups = [UInt32](repeating: 0, count: 32)
        while true {
            var length = socklen_t(groups.count * MemoryLayout<UInt32>.size)
            if getsockopt(number, SOL_SOCKET, watchlink_peer_groups, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<UInt32>.size))
            }
            guard errno == ERANGE, groups.count < maximumGroups else {
                throw SystemError("read the groups of", on: "a peer")
            }
            groups = [UInt32](repeating: 0, count: maximumGroups)
        }
    }
}
