import Glibc

/// The processor time of this process.
enum ProcessorTime {
    /// The time used so far, in seconds.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Makes SIGPROF end the process after it has used more processor time from now on.
    static func limit(seconds: Int) {
        var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: seconds, tv_usec: 0))
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }
}
