import CLinux
import Glibc
public import LinkProtocol

extension MonotonicTime {
    /// The monotonic clock's time. CLOCK_MONOTONIC cannot fail on Linux.
    public static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
