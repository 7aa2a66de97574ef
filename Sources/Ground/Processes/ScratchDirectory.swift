import Files
package import Foundation
import Glibc
import Locking

/// A directory for one run of a program, with a short path, as those of sockets must be.
///
/// It goes with the run: when nobody has it any more, at the program's end, when a signal ends it (``removeAllOnSignals()``), and
/// what a killed program left when the next one begins. A lock in it tells whose program still runs.
package final class ScratchDirectory: Sendable {
    private static let prefix = "wl-"
    /// Before it has its lock it has another name, so that nobody takes it for left behind.
    private static let unfinished = "new-wl-"
    /// One that is being removed has a third name: a service that still runs makes a socket anew that is taken from it, and finds no
    /// place for it any more. Anyone who finds such a directory may remove it.
    private static let doomed = "gone-wl-"
    private static let lockName = ".in-use"
    /// Each program looks for what is left behind once, at its start: eight starts in a row at the wrong instant do not happen.
    private static let attempts = 8
    /// Without a slash at its end.
    private static let temporary = FileManager.default.temporaryDirectory.standardizedFileURL.path
    private static let live = Mutex<Set<String>>([])

    package let path: String
    private let lock: FileLock

    package var url: URL { URL(filePath: path) }

    package init() throws {
        Self.preparation
        (path, lock) = try Self.make()
        Self.live.withLock { _ = $0.insert(path) }
    }

    /// A program that begins between the making of a directory and its lock takes it for left behind: then there is another one.
    private static func make() throws(SystemError) -> (String, FileLock) {
        var attempt = 1
        while true {
            do throws(SystemError) {
                return try makeOnce()
            } catch  where error.code == ENOENT && attempt < attempts {
                attempt += 1
            }
        }
    }

    private static func makeOnce() throws(SystemError) -> (String, FileLock) {
        let name = UUID().uuidString.prefix(8)
        let path = "\(temporary)/\(prefix)\(name)"
        let early = "\(temporary)/\(unfinished)\(name)"
        guard mkdir(early, 0o700) == 0 else { throw SystemError("make", on: early) }
        guard let lock = try FileLock.claim("\(early)/\(lockName)") else {
            throw SystemError("lock", on: early, code: ENOENT)
        }
        guard rename(early, path) == 0 else { throw SystemError("rename", on: early) }
        return (path, lock)
    }

    deinit { remove() }

    /// Removes it. One that cannot be removed is left to the next run.
    package func remove() {
        // Under the lock: a signal that ends the program meanwhile waits until this is done.
        Self.live.withLock { live in
            guard live.remove(path) != nil else { return }
            Self.removeAll(of: path)
        }
    }

    /// Leaves it to a person, and to nobody else.
    package func keep() {
        Self.live.withLock { live in
            live.remove(path)
            _ = unlink("\(path)/\(Self.lockName)")
        }
    }

    /// Lets SIGINT, SIGTERM and SIGHUP end the program as ever, but without its children and without these directories.
    package static func removeAllOnSignals() {
        Signals.hold()
        Signals().handle(on: .global()) { name in
            live.withLock { live in
                clear(&live)
                Signals.end(by: name)
            }
        }
    }

    /// Children first: they would make anew what is removed.
    private static func clear(_ live: inout Set<String>) {
        guard !live.isEmpty else { return }
        BackgroundProcess.killAll()
        for path in live { removeAll(of: path) }
        live.removeAll()
    }

    /// Once in each process.
    private static let preparation: Void = {
        atexit { ScratchDirectory.live.withLock { ScratchDirectory.clear(&$0) } }
        removeAbandoned()
    }()

    private static func removeAll(of path: String) {
        let gone = "\(temporary)/\(doomed)\(path.split(separator: "-").last ?? "")"
        guard rename(path, gone) == 0 else { return report(SystemError("rename", on: path)) }
        removeDoomed(gone)
    }

    private static func removeDoomed(_ path: String) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // Another program that begins now may have removed it.
            if access(path, F_OK) == 0 { report(error) }
        }
    }

    private static func report(_ error: any Error) {
        FileHandle.standardError.write(Data("A scratch directory is left to the next run: \(error)\n".utf8))
    }

    static func removeAbandoned() {
        // A directory that cannot be listed has nothing that could be removed.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? [] {
            let path = "\(temporary)/\(name)"
            if name.hasPrefix(doomed), isOwn(path) {
                removeDoomed(path)
            } else if name.hasPrefix(prefix) || name.hasPrefix(unfinished), isAbandoned(path) {
                removeAll(of: path)
            }
        }
    }

    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_uid == geteuid()
    }

    private static func isAbandoned(_ path: String) -> Bool {
        let lockPath = "\(path)/\(lockName)"
        guard isOwn(lockPath) else { return false }
        do throws(SystemError) {
            return try FileLock.claim(lockPath) != nil
        } catch {
            return false
        }
    }
}
