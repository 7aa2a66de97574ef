import CLinux
import Glibc
public import LinkProtocol

extension MonotonicTime {
    /// The current time of the monotonic clock. CLOCK_MONOTONIC cannot fail on Linux.
    public static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
