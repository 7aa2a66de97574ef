import Glibc

/// SIGPIPE, which ends a process that writes into a pipe without a reader.
enum PipeSignal {
    /// Runs a closure that may write into such a pipe: the write throws an error, and the signal is discarded. The
    /// disposition of the signal, which belongs to the whole process, stays as it is.
    static func held<Result>(_ body: () throws -> Result) rethrows -> Result {
        var (pipe, former, pending) = (sigset_t(), sigset_t(), sigset_t())
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &former)
        sigpending(&pending)
        // A signal that was pending before is the caller's.
        let isOthers = sigismember(&pending, SIGPIPE) == 1
        defer {
            if !isOthers {
                var none = timespec()
                while sigtimedwait(&pipe, nil, &none) < 0, errno == EINTR {}
            }
            pthread_sigmask(SIG_SETMASK, &former, nil)
        }
        return try body()
    }
}
