import CLinux
package import Foundation

extension Thread {
    /// Starts a thread that the system knows by a name: `top -H`, perf and debuggers show it.
    ///
    /// `Thread.name` is not always shown: set before the start it never is, and set after it Foundation may be later.
    ///
    /// - Parameter name: Of up to 15 bytes; what is longer is cut off.
    package static func detach(named name: String, _ run: @escaping @Sendable () -> Void) {
        detachNewThread {
            watchlink_name_thread(name)
            run()
        }
    }
}
