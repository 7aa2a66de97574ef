import Glibc
import LinkTransport

/// The group whose members may operate system services, besides root and the account that the services run as.
///
/// It applies only to processes that run in the group: a user's own services often run in a group of all users.
enum OperatorGroup {
    /// Created by `Config/sysusers.d` and named by the units.
    static let name = "watchlink"
    /// The maximum size of a group database entry. 1 MiB: some 60,000 members.
    private static let longestEntry = 1_048_576

    /// The access rule for a control socket of this process.
    static var access: AccessRule { isOwn ? .group(getegid()) : .owner }

    /// The error for a user without permission.
    static let refusal = ControlError(
        ControlError.notAllowed,
        "only root, the service's own user and, for system services, members of the group “\(name)” have access;"
            + " use sudo, or join the group (sudo usermod -aG \(name) NAME) and log in again")

    private static var isOwn: Bool {
        var size = 16 * 1024
        while size <= longestEntry {
            var (entry, found) = (group(), UnsafeMutablePointer<group>?.none)
            var buffer = [CChar](repeating: 0, count: size)
            let (code, isNamed) = buffer.withUnsafeMutableBufferPointer { buffer in
                let code = getgrgid_r(getegid(), &entry, buffer.baseAddress, buffer.count, &found)
                // A group without an entry has no name.
                return (code, found != nil && entry.gr_name != nil && String(cString: entry.gr_name) == name)
            }
            guard code == ERANGE else { return isNamed }
            size *= 4
        }
        return false
    }
}
