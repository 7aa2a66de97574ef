import CLinux
import Files
import Glibc

/// Says when names in a directory come or go, or the directory itself goes.
// Proof of `@unchecked Sendable`: all mutable state is used in turns of the loop only, one at a time, which `EventLoop` asserts.
final class DirectoryWatch: EventHandler, @unchecked Sendable {
    /// Names that come or go; files whose content changes are of no interest.
    private static let events = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    private let loop: EventLoop
    private let descriptor: Descriptor
    private var token: EventLoop.Token = 0
    private var onChange: () -> Void

    /// - Parameter onChange: Called on the loop, once for all that has happened since.
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
        // What happened to which name is not asked: whoever is told looks for itself.
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
