import CLinux
package import Foundation

extension Thread {
    /// Starts a thread with a name that `top -H`, perf and debuggers show.
    ///
    /// `Thread.name` is not reliable: set before the start it is never shown, and set after it Foundation may set its
    /// own name later.
    ///
    /// - Parameters:
    ///   - name: A name of up to 15 bytes; longer names are truncated.
    ///   - isPatient: True for a thread that may start late: when it wakes, it waits for the end of a running thread's turn.
    ///   - isAttendant: True for a thread that runs nothing of an app, but waits until others have work for it: reports of threads that
    ///     wait for each other are not about it.
    package static func detach(
        named name: String, isPatient: Bool = false, isAttendant: Bool = false, _ run: @escaping @Sendable () -> Void
    ) {
        detachNewThread {
            watchlink_name_thread(name)
            // A kernel that refuses this leaves the thread as it is, which costs other threads time and nothing else.
            if isPatient { _ = watchlink_never_interrupt() }
            if isAttendant { watchlink_attend_in_world() }
            run()
        }
    }
}
