import Glibc
import LinkTransport

/// The group whose members may operate the system's services beside root and the account that these run as.
///
/// It counts only for a process that runs in it: of a person's own services the group is often that of all users.
enum OperatorGroup {
    /// As `Config/sysusers.d` makes it and the units name it.
    static let name = "watchlink"
    /// The longest entry of the group database that is read. 1 MiB: some 60,000 members.
    private static let longestEntry = 1_048_576

    /// Who may connect to a control socket of this process.
    static var access: AccessRule { isOwn ? .group(getegid()) : .owner }

    /// What somebody is told who may not.
    static let refusal = ControlError(
        ControlError.notAllowed,
        "only the user that the service runs as, root, and of the system's services the members of the group “\(name)” may;"
            + " try it with sudo, or join the group (sudo usermod -aG \(name) NAME) and log in again")

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
