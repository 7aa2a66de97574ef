package import Glibc

/// The unprivileged user of a server that root starts.
package struct ServerUser {
    package let name: String
    package let number: uid_t
    package let group: gid_t

    /// The words before a command that runs as this user.
    package var words: [String] {
        ["/usr/bin/setpriv", "--reuid=\(number)", "--regid=\(group)", "--clear-groups", "--"]
    }
}
