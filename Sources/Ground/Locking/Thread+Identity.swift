import CLinux
package import Foundation

extension Thread {
    /// A number of the calling thread among those that run; 0 for the main thread. Without calls of the kernel after a thread's
    /// first.
    package static var identity: UInt { UInt(watchlink_thread_identity()) }
}
