import Glibc

/// How many descriptors the process may have.
package enum OpenFiles {
    /// Takes what the system allows: many have 1,024 at first, for the sake of programs that use select(2), and each connection
    /// takes one. What cannot be raised stays as it is; accepting then rests when they run out.
    package static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
