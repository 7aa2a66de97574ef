import Foundation

/// The processes of a session: a program and all that it started, also those that made groups of their own, as Foundation's `Process` does.
struct ProcessSession {
    /// The first process, whose number the session has. It must not have been reaped: its number could be another's.
    let leader: pid_t

    /// 100: a killed process is gone after the first looks; one that cannot die, since it hangs in the kernel, is given up.
    private static let mostLooks = 100

    /// Ends all of them.
    func kill() {
        Glibc.kill(-leader, SIGKILL)
        for _ in 0..<Self.mostLooks {
            // Those that were just being started come into view later.
            let members = others()
            if members.isEmpty { return }
            for member in members { Glibc.kill(member, SIGKILL) }
            sched_yield()
        }
    }

    /// The members that live, but for the first.
    private func others() -> [pid_t] {
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        var members: [pid_t] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = pid_t(name), process != leader, isMember(process) else { continue }
            members.append(process)
        }
        return members
    }

    /// Of the few that are of the session the state is read, from “number (name) state …”, where the name may have any characters.
    private func isMember(_ process: pid_t) -> Bool {
        guard getsid(process) == leader else { return false }
        let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(file, &bytes, bytes.count)
        guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return false }
        let state = bytes[(end + 1)..<count].first { $0 != UInt8(ascii: " ") }
        return state != UInt8(ascii: "Z") && state != UInt8(ascii: "X")
    }
}
