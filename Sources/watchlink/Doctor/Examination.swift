import Foundation
import Glibc
import LinkTransport
import ServiceRuntime
import Storage

/// A look at everything that a set-up needs.
struct Examination {
    /// Free space below which writing is about to fail. 100 MiB: some hundred thousand quizzes.
    private static let leastSpace: UInt64 = 100 * 1024 * 1024
    /// How far clocks may be apart. 1 s: more would put the lines of two logs into a wrong order.
    private static let largestSkew = 1.0

    let invocation: Invocation
    private var state: StateDirectory { invocation.state }

    init(_ invocation: Invocation) { self.invocation = invocation }

    func findings() -> [Finding] {
        directory() + space() + services() + databases()
    }

    // MARK: - The directory

    private func directory() -> [Finding] {
        let subject = "state directory"
        guard FileManager.default.fileExists(atPath: state.path) else {
            return [
                .bad(
                    subject, "\(state.path) does not exist",
                    "start a service, or name the right --state-directory")
            ]
        }
        var findings: [Finding] = []
        let exposures = PrivateDirectory.exposures(
            passable: [state.path], directories: CommandOptions.sides.map(state.path(of:)), files: state.databases,
            owner: owner)
        findings += exposures.map { .bad("permissions", "\($0.path) \($0.reason)", $0.remedy) }
        if exposures.isEmpty { findings.append(.good(subject, "\(state.path), its owner's alone")) }
        for path in [state.hostControlSocket, state.companionControlSocket, state.linkSocket]
        where path.utf8.count > UnixSocket.longestPath {
            findings.append(
                .bad(
                    "sockets", "\(path) is longer than \(UnixSocket.longestPath) bytes",
                    "use a directory with a shorter name"))
        }
        return findings
    }

    /// Whose the files must be: root looks after services of other users.
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
            ? [.good("disk", text)] : [.bad("disk", text, "make room: quizzes are refused when the disk is full")]
    }

    // MARK: - The services

    private func services() -> [Finding] {
        var findings: [Finding] = []
        var reachable: [String: Bool] = [:]
        for side in CommandOptions.sides {
            let before = Date().timeIntervalSince1970
            do {
                let client = try invocation.device(side)
                let status = try client.call("status")
                let time = try client.call("time").number ?? before
                reachable[side] = status["reachable"]?.boolean == true
                findings.append(version(side, status))
                findings += skew(side, before, time)
                if let call = OverdueCall(status) {
                    let advice = "find what it waits for: nothing else reaches the app meanwhile"
                    findings.append(.bad("\(side)'s delegate", call.text, advice))
                }
                if let held = status["quizzesHeldBack"]?.integer, held > 0 {
                    findings.append(
                        .odd(
                            "retention", "\(held) quizzes are too old by the clock and wait for a person's word",
                            "if the clock is right: watchlink quizzes expire"))
                }
                for (key, name) in [("database", "database"), ("sessionDatabase", "session's database")] {
                    guard let problem = status[key]?.string, problem != "available" else { continue }
                    findings.append(.bad("\(side)'s \(name)", problem, "see the message"))
                }
            } catch let error as CommandError where error.code == .notRunning {
                findings.append(
                    .bad(side, "it does not run", "start it: watchlink-\(side) --config Config/\(side).json5"))
            } catch ControlClient.Failure.notAnswering(let path, let process) {
                let failure = ControlClient.Failure.notAnswering(path: path, process: process)
                findings.append(
                    .bad(
                        side, "it \(failure)", process.map { "kill -CONT \($0)" } ?? "end the process and start it anew"
                    ))
            } catch {
                findings.append(.bad(side, CommandError(any: error, service: side).message, "look into its log"))
            }
        }
        if reachable == ["host": true, "companion": true] {
            findings.append(.good("link", "each side reaches the other"))
        } else if reachable.count == 2 {
            findings.append(
                .odd(
                    "link", "the sides do not reach each other",
                    "compare link.socket of both with --print-config; “watchlink device” and “watchlink link” show what was done to them"
                ))
        }
        return findings
    }

    private func version(_ side: String, _ status: JSONValue) -> Finding {
        let commit = String((status["commit"]?.string ?? "").prefix(12))
        let text = "runs, version \(status["version"]?.string ?? "?") (\(commit))"
        return status["version"]?.string == Version.number && commit == Version.commit.prefix(12)
            ? .good(side, text)
            : .odd(
                side, "\(text), this program is \(Version.number) (\(Version.commit.prefix(12)))",
                "restart it with the new program")
    }

    private func skew(_ side: String, _ before: Double, _ time: Double) -> [Finding] {
        let after = Date().timeIntervalSince1970
        let skew = time < before ? before - time : max(0, time - after)
        return skew <= Self.largestSkew
            ? []
            : [
                .odd(
                    "\(side)'s clock", "\(String(format: "%.1f", skew)) s away from this one's",
                    "let a time server set both")
            ]
    }

    // MARK: - The databases

    private func databases() -> [Finding] {
        state.databases.filter { FileManager.default.fileExists(atPath: $0) }.map { path in
            do throws(DatabaseError) {
                let problems = try DatabaseCheck.problems(in: path)
                return problems.isEmpty
                    ? .good("database", "\(path) is sound")
                    : .bad(
                        "database", "\(path): \(problems.joined(separator: "; "))", "restore a backup, or move it away")
            } catch {
                return .bad("database", "\(error)", "see the message")
            }
        }
    }
}
