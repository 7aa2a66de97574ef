import CLinux
import Files
import Glibc

/// Watches a directory for created, removed and renamed names, and for its own removal.
// Proof of `@unchecked Sendable`: all mutable state is confined to turns of the loop, as `EventLoop` asserts.
final class DirectoryWatch: EventHandler, @unchecked Sendable {
    /// Changes of names; changes of file contents are not watched.
    private static let events = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    private let loop: EventLoop
    private let descriptor: Descriptor
    private var token: EventLoop.Token = 0
    private var onChange: () -> Void

    /// Starts watching.
    ///
    /// - Parameter onChange: Called on the loop, once for all changes since the last call.
    /// - Throws: `SystemError` if inotify is unavailable or the directory cannot be watched.
    init(loop: EventLoop, directory: String, onChange: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.onChange = onChange
        descriptor = try Descriptor(
            made: inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)), "an inotify descriptor")
        guard inotify_add_watch(descriptor.number, directory, Self.events) >= 0 else {
            throw SystemError("watch", on: directory)
        }
        token = try loop.watch(descriptor.number, EventLoop.readable, self)
    }

    func ready(_ events: EventLoop.Interest) {
        // Names and kinds of changes are discarded: the callback inspects the directory itself.
        let buffer = loop.readBuffer
        while retryingInterrupts({ read(descriptor.number, buffer.baseAddress, buffer.count) }) > 0 {}
        onChange()
    }

    func stop() {
        loop.forget(token)
        onChange = {}
    }

    func loopEnded() { onChange = {} }
}
