import CVirtualTime
import Foundation
import Glibc
import Testing

@testable import VirtualTime

@Suite("Directory watches of a process that is about to be killed")
struct DirectoryWatchTests {
    /// The places in /proc of the descriptors that are taken over from a running program.
    private static func taken(from program: [String], most: Int) throws -> [String] {
        let output = Pipe()
        let launch = ProcessLaunch(
            program: Program(name: "watcher", executable: program[0], arguments: Array(program.dropFirst())),
            environment: [:], directory: "/", output: output.fileHandleForWriting.fileDescriptor,
            errors: STDERR_FILENO, conductor: STDERR_FILENO)
        var process = virtual_time_process()
        try #require(launch.start(&process) == 0)
        defer {
            kill(process.identifier, SIGKILL)
            while waitpid(process.identifier, nil, 0) < 0 && errno == EINTR {}
            close(process.handle)
        }
        // It watches before it has written its first line.
        _ = output.fileHandleForReading.availableData
        var watches = [Int32](repeating: -1, count: 8)
        let count = virtual_time_take_watches(&process, &watches, Int32(most))
        return try watches.prefix(Int(count)).map { watch in
            defer { close(watch) }
            #expect(fcntl(watch, F_GETFD) & FD_CLOEXEC != 0)
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(watch)")
        }
    }

    /// True if neither a container nor the kernel's setting for debuggers keeps this process from the descriptors of its children.
    private static var isUnrestricted: Bool {
        func text(_ path: String) -> String? {
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        }
        let scope = text("/proc/sys/kernel/yama/ptrace_scope") ?? "0"
        return text("/proc/self/status")?.contains("\nSeccomp:\t0\n") == true
            && (scope.hasPrefix("0") || scope.hasPrefix("1"))
    }

    @Test(
        "Those of a program are taken over, no more than asked for, and no other descriptor",
        .enabled(if: isUnrestricted))
    func watches() throws {
        let tail = ["/usr/bin/tail", "-F", "/etc/passwd"]
        #expect(try Self.taken(from: tail, most: 8) == ["anon_inode:inotify"])
        #expect(try Self.taken(from: tail, most: 0) == [])
        #expect(try Self.taken(from: ["/usr/bin/yes"], most: 8) == [])
    }
}
