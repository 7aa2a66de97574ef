import CVirtualTime
import Foundation

/// The processes of a session: a program and all processes it started, including those that created their own groups,
/// as Foundation's `Process` does.
struct ProcessSession {
    /// The first process, whose identifier is that of the session. It must not have been reaped: its identifier could
    /// have been reused.
    let leader: pid_t

    /// 100: processes that were being started are found by a few looks; then those that live on are given up.
    private static let mostLooks = 100
    /// The longest wait for the end of a killed process in milliseconds. 100: ten seconds in all for one that is stuck in
    /// the kernel.
    private static let endMilliseconds: UInt32 = 100

    /// Kills all processes of the session.
    func kill() {
        Glibc.kill(-leader, SIGKILL)
        for _ in 0..<Self.mostLooks {
            // Processes that were just being started appear later.
            let members = others()
            if members.isEmpty { return }
            for member in members { virtual_time_kill_process(member, Self.endMilliseconds) }
        }
    }

    /// Returns the living members except the leader.
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

    /// Returns true for a living member. The state is read only for processes of the session, from “number (name) state
    /// …”, where the name can contain any characters.
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
