import Glibc

/// How many descriptors the process may have.
package enum OpenFiles {
    /// The system grants too few for the program to work.
    package struct TooFew: Error, Equatable, CustomStringConvertible {
        package let needed: Int
        package let free: Int
        package let limit: UInt

        package var description: String {
            "too few file descriptors: \(needed) are needed and \(free) are free, of \(limit) allowed; "
                + "raise the limit (ulimit -n, or LimitNOFILE= in a systemd unit)"
        }
    }

    /// Takes what the system allows: many have 1,024 at first, for the sake of programs that use select(2), and each connection
    /// takes one. What cannot be raised stays as it is; accepting then rests when they run out.
    package static func raiseLimit() {
        var limit = limits
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Makes sure that there are so many to be had. Libraries end the process without a word when they cannot have theirs, so
    /// this comes before they are used.
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
        // It fails only for a resource that does not exist.
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }
}
