import Configuration
import Foundation
import Glibc
import LinkTransport
import ServiceRuntime
import Storage

/// An examination of a complete set-up.
struct Examination {
    /// The free bytes below which the disk counts as almost full. 100 MiB: some hundred thousand quizzes.
    private static let leastSpace: UInt64 = 100 * 1024 * 1024

    let invocation: Invocation
    private let devices: [CommandDevice]
    private var state: StateDirectory { invocation.state }

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        devices = try invocation.devices()
    }

    func findings() -> [Finding] {
        ServiceExamination(invocation, devices).findings() + directory() + space() + databases()
    }

    // MARK: - The directory

    private func directory() -> [Finding] {
        let subject = "state directory"
        guard FileManager.default.fileExists(atPath: state.path) else {
            return [
                .bad(
                    subject, "\(state.path) does not exist",
                    "start a service, which creates it, or name another with --state-directory",
                    command: ShellCommand(invocation).start("host"))
            ]
        }
        var findings: [Finding] = []
        let exposures = PrivateDirectory.exposures(
            passable: [state.path], directories: devices.map(\.directory), files: databaseFiles,
            owner: owner)
        findings += exposures.map {
            .bad("permissions", "\($0.path) \($0.reason)", $0.remedy, command: $0.command ?? "")
        }
        if exposures.isEmpty { findings.append(.good(subject, "\(state.path), private to its owner")) }
        for path in devices.map(\.controlSocket) + [state.linkSocket]
        where path.utf8.count > UnixSocket.longestPath {
            findings.append(
                .bad(
                    "sockets", "\(path) is longer than \(UnixSocket.longestPath) bytes",
                    "use a directory with a shorter name"))
        }
        return findings
    }

    /// The user who must own the files: for root, the owner of the state directory.
    private var owner: UInt32 {
        var status = stat()
        return geteuid() == 0 && stat(state.path, &status) == 0 ? status.st_uid : geteuid()
    }

    private func space() -> [Finding] {
        var status = statvfs()
        guard statvfs(state.path, &status) == 0 else { return [] }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        let text = "\(free / 1_048_576) MiB free"
        return free >= Self.leastSpace
            ? [.good("disk", text)] : [.bad("disk", text, "free some space: quizzes are refused when the disk is full")]
    }

    // MARK: - The databases

    /// The databases; some may not exist.
    private var databaseFiles: [String] {
        guard devices.contains(where: { $0.kind == .service }) else {
            return devices.map { $0.directory + "/session.sqlite" }
        }
        return state.databases + otherDatabases
    }

    /// The databases of applications beside the first one, which are in the state directory itself.
    private var otherDatabases: [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: state.path)
            return names.filter { $0.hasSuffix(".sqlite") }.map(state.path(of:))
                .filter { !state.databases.contains($0) }.sorted()
        } catch {
            // A directory that cannot be read is a finding of its own.
            return []
        }
    }

    private func databases() -> [Finding] {
        databaseFiles.filter { FileManager.default.fileExists(atPath: $0) }.map { path in
            do throws(DatabaseError) {
                let problems = try DatabaseCheck.problems(in: path)
                return problems.isEmpty
                    ? .good("database", "\(path) is sound")
                    : .bad(
                        "database", "\(path): \(problems.joined(separator: "; "))",
                        path == state.databases.first
                            ? "stop the host, then restore a backup: \(ShellCommand(invocation).watchlink(["quizzes", "restore"])) FILE"
                            : "stop the service and move the file away, or put a backup in its place")
            } catch {
                return .bad("database", "\(error)", "follow the message")
            }
        }
    }
}
