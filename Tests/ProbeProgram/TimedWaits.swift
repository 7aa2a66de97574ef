import CProbe
import Foundation

extension Construct {
    /// What POSIX has of waits that no Swift type wraps.
    static let timedWaits = [
        Construct("timed-locks") { probe_timed_locks() },
        Construct("timed-polls") { probe_timed_polls() },
        Construct("joins") { probe_joins() },
        Construct("c11-threads") { probe_c11_threads() },
        Construct("message-queues") { probe_message_queues() },
        Construct("file-watches") { probe_file_watches() },
        Construct("edges") { probe_edges() },
        Construct("barriers") {
            let memory = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
            pthread_barrier_init(memory, nil, 3)
            nonisolated(unsafe) let barrier = memory  // It is made for several threads.
            for thread in 0..<3 {
                Thread.detachNewThread {
                    Thread.sleep(forTimeInterval: Double(thread))
                    pthread_barrier_wait(barrier)
                    trace("thread \(thread) passes")
                    if pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD {
                        Thread.sleep(forTimeInterval: 1)
                        finish()
                    }
                }
            }
        },
    ]
}
