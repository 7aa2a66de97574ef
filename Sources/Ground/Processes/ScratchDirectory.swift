import Files
package import Foundation
import Glibc
import Locking

/// A temporary directory for one run of a program, with a path short enough for sockets.
///
/// It is removed when it is released, at the program's exit, and when a signal ends the program
/// (``removeAllOnSignals()``); the directories of killed programs are removed by the next run. A lock in each directory
/// shows that its program is still running.
package final class ScratchDirectory: Sendable {
    private static let prefix = "wl-"
    /// The prefix of a directory without its lock, so that no other program takes it for abandoned.
    private static let unfinished = "new-wl-"
    /// The prefix of a directory that is being removed: a service that still runs and recreates its removed socket no
    /// longer finds the path. Any program may remove such a directory.
    private static let doomed = "gone-wl-"
    private static let lockName = ".in-use"
    /// The attempts to create a directory. Each program looks for abandoned directories once, at its start: eight
    /// starts in a row at the wrong moment do not happen.
    private static let attempts = 8
    /// The temporary directory, without a trailing slash.
    private static let temporary = FileManager.default.temporaryDirectory.standardizedFileURL.path
    private static let live = Mutex<Set<String>>([])
    /// The directories in which this process has looked for abandoned ones: once each.
    private static let searched = Mutex<Set<String>>([])

    package let path: String
    private let lock: FileLock

    package var url: URL { URL(filePath: path) }

    /// - Parameter base: The directory in which it is made; nil for the one of temporary files.
    package init(in base: String? = nil) throws {
        Self.preparation
        let base = base ?? Self.temporary
        if Self.searched.withLock({ $0.insert(base).inserted }) { Self.removeAbandoned(in: base) }
        (path, lock) = try Self.make(in: base)
        Self.live.withLock { _ = $0.insert(path) }
    }

    /// Creates the directory; tries again if another program removed it as abandoned before the lock was taken.
    private static func make(in base: String) throws(SystemError) -> (String, FileLock) {
        var attempt = 1
        while true {
            do throws(SystemError) {
                return try makeOnce(in: base)
            } catch  where error.code == ENOENT && attempt < attempts {
                attempt += 1
            }
        }
    }

    private static func makeOnce(in base: String) throws(SystemError) -> (String, FileLock) {
        let name = UUID().uuidString.prefix(8)
        let path = "\(base)/\(prefix)\(name)"
        let early = "\(base)/\(unfinished)\(name)"
        guard mkdir(early, 0o700) == 0 else { throw SystemError("make", on: early) }
        guard let lock = try FileLock.claim("\(early)/\(lockName)") else {
            throw SystemError("lock", on: early, code: ENOENT)
        }
        guard rename(early, path) == 0 else { throw SystemError("rename", on: early) }
        return (path, lock)
    }

    deinit { remove() }

    /// Removes the directory. If that fails, it is left to the next run.
    package func remove() {
        // Under the lock, so that a signal that ends the program meanwhile waits for the removal.
        Self.live.withLock { live in
            guard live.remove(path) != nil else { return }
            Self.removeAll(of: path)
        }
    }

    /// Keeps the directory for inspection: no program removes it.
    package func keep() {
        Self.live.withLock { live in
            live.remove(path)
            _ = unlink("\(path)/\(Self.lockName)")
        }
    }

    /// Makes SIGINT, SIGTERM and SIGHUP kill the children and remove the directories before they end the program.
    package static func removeAllOnSignals() {
        Signals.hold()
        Signals().handle(on: .global()) { name in
            live.withLock { live in
                clear(&live)
                Signals.end(by: name)
            }
        }
    }

    /// Kills the children first: they would recreate what is removed.
    private static func clear(_ live: inout Set<String>) {
        guard !live.isEmpty else { return }
        BackgroundProcess.killAll()
        for path in live { removeAll(of: path) }
        live.removeAll()
    }

    /// Runs once per process.
    private static let preparation: Void = {
        atexit { ScratchDirectory.live.withLock { ScratchDirectory.clear(&$0) } }
    }()

    private static func removeAll(of path: String) {
        let base = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        let gone = "\(base)\(doomed)\(path.split(separator: "-").last ?? "")"
        guard rename(path, gone) == 0 else { return report(SystemError("rename", on: path)) }
        removeDoomed(gone)
    }

    private static func removeDoomed(_ path: String) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // Another program that has just started may have removed it.
            if access(path, F_OK) == 0 { report(error) }
        }
    }

    private static func report(_ error: any Error) {
        FileHandle.standardError.write(
            Data("A scratch directory could not be removed; the next run will try again: \(error)\n".utf8))
    }

    static func removeAbandoned(in base: String = temporary) {
        // A directory that cannot be listed contains nothing that could be removed.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] {
            let path = "\(base)/\(name)"
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
