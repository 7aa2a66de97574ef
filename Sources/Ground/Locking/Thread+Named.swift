import CLinux
package import Foundation

extension Thread {
    /// Starts a thread with a name that `top -H`, perf and debuggers show.
    ///
    /// `Thread.name` is not reliable: set before the start it is never shown, and set after it Foundation may set its
    /// own name later.
    ///
    /// - Parameter name: A name of up to 15 bytes; longer names are truncated.
    package static func detach(named name: String, _ run: @escaping @Sendable () -> Void) {
        detachNewThread {
            watchlink_name_thread(name)
            run()
        }
    }
}
