import Glibc

/// The process's limit on open file descriptors.
package enum OpenFiles {
    /// The system grants too few descriptors for the program to work.
    package struct TooFew: Error, Equatable, CustomStringConvertible {
        package let needed: Int
        package let free: Int
        package let limit: UInt

        package var description: String {
            "too few file descriptors: \(needed) needed, \(free) free, \(limit) allowed; "
                + "raise the limit (ulimit -n, or LimitNOFILE= in a systemd unit)"
        }
    }

    /// Raises the soft limit to the hard limit: many systems start with 1,024 for the sake of select(2), and each
    /// connection needs one. If that fails, the limit is unchanged, and accepting pauses while none are free.
    package static func raiseLimit() {
        var limit = limits
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Checks that `needed` descriptors can be opened. Call it before using libraries that abort without a message when
    /// they cannot open theirs.
    package static func require(_ needed: Int) throws(TooFew) {
        var taken: [Int32] = []
        defer { for number in taken { close(number) } }
        while taken.count < needed {
            let number = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard number >= 0 else { throw TooFew(needed: needed, free: taken.count, limit: limits.rlim_cur) }
            taken.append(number)
        }
    }

    private static var limits: rlimit {
        var limit = rlimit()
        // Fails only for an unknown resource.
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }
}
