import CLinux
package import Foundation

extension Thread {
    /// True on the main thread, as `isMainThread`, without calls of the kernel after a thread's first.
    package static var isMain: Bool { watchlink_is_main_thread() != 0 }
}
