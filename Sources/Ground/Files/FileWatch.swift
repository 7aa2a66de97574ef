package import Foundation
import Glibc
import Locking

/// Detects that files are opened or moved (inotify). All devices of a process share one: a user may have 128 instances.
// Proof of `@unchecked Sendable`: the source, the only part that is not Sendable, is used in `init` and `deinit` alone.
package final class FileWatch: @unchecked Sendable {
    /// The identifier of a watch of a file.
    package struct Token: Hashable, Sendable {
        /// The kernel's number: the same for all watches of one file, never reused.
        fileprivate let file: Int32
        fileprivate let number: UInt64
    }

    /// The number of events per read. 64 of 16 bytes: few files are watched at a time, each for one or two events.
    private static let eventsAtOnce = 64

    private struct State {
        /// The watches of each file that were not forgotten.
        var watches: [Int32: Set<Token>] = [:]
        var lastNumber: UInt64 = 0
        var used: Set<Token> = []
        var waiting: [Token: @Sendable (Bool) -> Void] = [:]
    }

    /// Keeps the descriptor open until nothing reads it any more.
    private final class Instance: Sendable {
        let descriptor: Descriptor
        init() throws(SystemError) {
            descriptor = try Descriptor(
                made: inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)), "an inotify instance")
        }
    }

    /// The process's watch while anything uses it.
    private struct Shared {
        weak var watch: FileWatch?
    }

    private static let shared = Mutex(Shared())

    /// Returns the process's watch, which ends with its last user.
    package static func ofProcess() throws(SystemError) -> FileWatch {
        try shared.withLock { shared throws(SystemError) in
            if let watch = shared.watch { return watch }
            let watch = try FileWatch()
            shared.watch = watch
            return watch
        }
    }

    private let instance: Instance
    private let source: any DispatchSourceRead
    private let queue = DispatchQueue(label: "watchlink.files.watch")
    private let state = Mutex(State())

    private init() throws(SystemError) {
        let instance = try Instance()
        self.instance = instance
        source = DispatchSource.makeReadSource(fileDescriptor: instance.descriptor.number, queue: queue)
        source.setEventHandler { [weak self] in self?.takeEvents() }
        // The dispatch library must have released the descriptor before it is closed.
        source.setCancelHandler { _ = instance }
        source.activate()
    }

    deinit { source.cancel() }

    /// Starts watching a file.
    package func watch(_ path: String) throws(SystemError) -> Token {
        let mask = UInt32(IN_OPEN) | UInt32(IN_MOVE_SELF)
        let (token, ended) = try state.withLock { state throws(SystemError) in
            // An earlier use of the same file is no use since this watch started.
            let ended = take(&state)
            let file = inotify_add_watch(instance.descriptor.number, path, mask)
            guard file >= 0 else { throw SystemError("watch", on: path) }
            state.lastNumber += 1
            let token = Token(file: file, number: state.lastNumber)
            state.watches[file, default: []].insert(token)
            return (token, ended)
        }
        for token in ended { end(token, isUsed: true) }
        return token
    }

    /// Returns true if the file was opened or moved since the watch started.
    package func isUsed(_ token: Token) -> Bool {
        takeEvents()
        return state.withLock { $0.used.contains(token) }
    }

    /// Calls back once: with true when the file is opened or moved, or with false on a time-out. The watch ends then.
    package func whenUsed(
        _ token: Token, within limit: DispatchTimeInterval, _ completion: @escaping @Sendable (Bool) -> Void
    ) {
        state.withLock { $0.waiting[token] = completion }
        queue.async { [self] in takeEvents() }
        queue.asyncAfter(deadline: .now() + limit) { [self] in
            takeEvents()
            end(token, isUsed: false)
        }
    }

    /// Stops watching a file.
    package func forget(_ token: Token) {
        state.withLock { state in
            state.used.remove(token)
            state.waiting[token] = nil
            guard state.watches[token.file]?.remove(token) != nil, state.watches[token.file]?.isEmpty == true else {
                return
            }
            state.watches[token.file] = nil
            // This fails for a deleted file, whose watch has ended.
            _ = inotify_rm_watch(instance.descriptor.number, token.file)
        }
    }

    private func end(_ token: Token, isUsed: Bool) {
        guard let completion = state.withLock({ $0.waiting.removeValue(forKey: token) }) else { return }
        forget(token)
        completion(isUsed)
    }

    private func takeEvents() {
        for token in state.withLock({ take(&$0) }) { end(token, isUsed: true) }
    }

    /// Reads all pending events.
    ///
    /// - Returns: The files in use that a caller waits for.
    private func take(_ state: inout State) -> [Token] {
        let size = MemoryLayout<inotify_event>.size
        withUnsafeTemporaryAllocation(
            byteCount: size * Self.eventsAtOnce, alignment: MemoryLayout<inotify_event>.alignment
        ) { buffer in
            while true {
                let count = retryingInterrupts { read(instance.descriptor.number, buffer.baseAddress, buffer.count) }
                guard count > 0 else { return }
                // Files are watched, not directories: no event is followed by a name, but each has a length field.
                var place = 0
                while place + size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                    if event.mask & (UInt32(IN_OPEN) | UInt32(IN_MOVE_SELF)) != 0 {
                        state.used.formUnion(state.watches[event.wd] ?? [])
                    }
                    place += size + Int(event.len)
                }
            }
        }
        return state.waiting.keys.filter { state.used.contains($0) }
    }
}
