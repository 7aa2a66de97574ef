import CProbe
import Foundation

extension Construct {
    /// Signals that a process sends itself, and timers that do.
    static let signals = [
        Construct("signals") {
            signal(SIGUSR1) { _ in trace("handled") }
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 3)
                kill(getpid(), SIGUSR1)
            }
            let left = sleep(10)
            trace("slept, left \(left)")
            raise(SIGUSR1)
            finish()
        },
        Construct("signal-waits") {
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, SIGUSR1)
            pthread_sigmask(SIG_BLOCK, &set, nil)
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 3)
                kill(getpid(), SIGUSR1)
                Thread.sleep(forTimeInterval: 3)
                kill(getpid(), SIGUSR1)
            }
            var number: Int32 = 0
            trace("wait \(sigwait(&set, &number)) \(number == SIGUSR1)")
            var time = timespec(tv_sec: 1, tv_nsec: 0)
            trace("in vain \(sigtimedwait(&set, nil, &time)) \(errno == EAGAIN)")
            trace("wait with information \(sigwaitinfo(&set, nil) == SIGUSR1)")
            finish()
        },
        Construct("signal-sources") {
            signal(SIGUSR1, SIG_IGN)
            nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .main)
            source.setEventHandler {
                trace("source")
                source.cancel()
                finish()
            }
            source.resume()
            DispatchQueue.global().asyncAfter(deadline: .now() + 4) { kill(getpid(), SIGUSR1) }
        },
        Construct("alarms") { probe_alarms() },
        Construct("signal-masks") { probe_signal_masks() },
    ]
}
