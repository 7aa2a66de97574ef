import Configuration
import DeviceShell
import Foundation
import Glibc
import LinkProtocol
import LinkTransport
import ServiceRuntime
import Storage
import WatchConnectivity

extension ServiceSettings {
    /// The bytes read from the start of a file to see whether it is text. 4 KiB: a page; a database has a NUL in the
    /// first 20.
    private static let probedBytes = 4_096

    /// The files that this service writes, and those that it must not overwrite.
    private var pathUses: [PathUse] {
        let device = DeviceDirectory(device.stateDirectory)
        var uses = [
            PathUse("state directory", "the state directory", state.path, .other),
            PathUse("state directory", "the device's state", device.path, .other),
            PathUse("state directory", "the session's database", device.database, .other),
            PathUse("state directory", "the device's identifier", state.identity(of: role.rawValue), .other),
            PathUse("state directory", "the service's start options", state.options(of: role.rawValue), .other),
            PathUse("link.socket", "the link's socket", self.device.socketPath, role == .host ? .made : .other),
            PathUse("control.socket", "the control socket", controlSocket),
            PathUse("database.file", "the database", database.file),
        ]
        uses += ["-wal", "-shm", "-journal"].map {
            PathUse("database.file", "the database's \($0) file", database.file + $0, .other)
        }
        for (key, path) in [("link.socket", self.device.socketPath), ("control.socket", controlSocket)] {
            uses.append(PathUse(key, "the lock of \(key)", path + ".lock", .other))
        }
        if let file = log.file {
            uses.append(PathUse("log.file", "the log", file))
            uses += (1...log.keptFiles).map { PathUse("log.file", "a rotated log", "\(file).\($0)", .other) }
        }
        uses += [("database.file", database.file), ("state directory", device.database)].map { key, path in
            PathUse(key, "the mark of \(URL(filePath: path).lastPathComponent)", DatabaseMark.path(of: path), .other)
        }
        // Both services may share a state directory.
        for counterpart in DeviceRole.allCases where counterpart != role {
            uses += state.files(of: counterpart.rawValue).map {
                PathUse("state directory", "the other service's file", $0, .other)
            }
        }
        if let metricsFile { uses.append(PathUse("metrics.file", "the metrics", metricsFile)) }
        if let path = options["config"] { uses.append(PathUse("--config", "the configuration", path, .other)) }
        return uses
    }

    /// The errors in this service's paths.
    var pathMistakes: [any Error] {
        let uses = pathUses
        return stateDirectoryMistakes + sharedPaths(uses) + overlongSockets + unusableFolders(uses) + logMistakes
    }

    private func mistake(_ key: String, _ reason: String) -> any Error { file.wrong(key, reason) }

    /// Returns an error for each path that is used twice: the two uses would overwrite each other.
    private func sharedPaths(_ uses: [PathUse]) -> [any Error] {
        var found: [any Error] = []
        var told: Set<[String]> = []
        for (index, use) in uses.enumerated() {
            for other in uses[..<index] where other.key != use.key && use.isSame(as: other) {
                // The path that was configured is the wrong one, not the default.
                let isGiven = (use: file.place(of: use.key) != nil, other: file.place(of: other.key) != nil)
                let (wrong, right) =
                    isGiven.use || (!isGiven.other && use.kind == .made) ? (use, other) : (other, use)
                guard told.insert([wrong.key, right.key]).inserted else { continue }
                found.append(mistake(wrong.key, "\(wrong.path) is also \(right.what); choose a separate path"))
            }
        }
        return found
    }

    private var overlongSockets: [any Error] {
        [("link.socket", device.socketPath), ("control.socket", controlSocket)].compactMap { key, path in
            guard path.utf8.count > UnixSocket.longestPath else { return nil }
            return mistake(
                key,
                "\(path) has \(path.utf8.count) bytes; a socket's path may have at most \(UnixSocket.longestPath); "
                    + "choose a shorter path or --state-directory")
        }
    }

    /// Returns an error for each folder that cannot be written, except the state directory, which is checked
    /// separately.
    private func unusableFolders(_ uses: [PathUse]) -> [any Error] {
        let own = PathUse.resolve(state.path)
        return uses.filter { $0.kind == .made && $0.folder != own }.compactMap { use in
            Self.trouble(with: use.folder).map { mistake(use.key, "\(use.path) cannot be written: \($0)") }
        }
    }

    /// Returns the reason why no file can be created in a directory; nil if one can.
    private static func trouble(with folder: String) -> String? {
        var status = stat()
        guard stat(folder, &status) == 0 else { return "\(folder): \(String(cString: strerror(errno)))" }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "\(folder) is not a directory" }
        return access(folder, W_OK | X_OK) == 0 ? nil : "\(folder) is not writable by this user"
    }

    /// The error if the state directory cannot be used; it may be missing, as the start creates it.
    private var stateDirectoryMistakes: [any Error] {
        var folder = PathUse.resolve(state.path)
        while folder != "/", !FileManager.default.fileExists(atPath: folder) { folder = PathUse.folder(of: folder) }
        guard let trouble = Self.trouble(with: folder) else { return [] }
        return [UnusableStateDirectory(path: state.path, reason: trouble)]
    }

    private struct UnusableStateDirectory: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "\(path) cannot be used: \(reason); choose another --state-directory" }
    }

    /// The errors of the log file, to whose existing content lines are appended.
    private var logMistakes: [any Error] {
        guard let path = log.file else { return [] }
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        // ``exposures`` reports other kinds of files; opening a FIFO would block.
        guard status.st_mode & S_IFMT == S_IFREG else { return [] }
        guard access(path, W_OK) == 0 else { return [mistake("log.file", "\(path) is not writable by this user")] }
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            guard try handle.read(upToCount: Self.probedBytes)?.contains(0) != true else {
                return [mistake("log.file", "\(path) is a binary file, not text; name another file")]
            }
        } catch {
            return [mistake("log.file", "\(path) cannot be read: \(error.localizedDescription)")]
        }
        return []
    }
}
