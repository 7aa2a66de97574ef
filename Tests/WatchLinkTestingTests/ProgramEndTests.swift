import Foundation
import Testing

@testable import WatchLinkTesting

/// What a device does with the signals and the processes around its program.
@Suite("The end of a program", .serialized)
struct ProgramEndTests {
    /// A descriptor of another process.
    private struct Descriptor {
        let file: String
        let flags: Int32
    }

    /// Returns the descriptors of a process, except its standard input and outputs.
    private static func descriptors(of process: Int32) throws -> [Descriptor] {
        let manager = FileManager.default
        return try manager.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap { name in
            guard let number = Int(name), number > 2 else { return nil }
            // It may be closed in the meantime.
            guard let file = try? manager.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(name)"),
                let text = try? String(contentsOfFile: "/proc/\(process)/fdinfo/\(name)", encoding: .utf8)
            else { return nil }
            let line = text.split(separator: "\n").first { $0.hasPrefix("flags:") }
            let flags = line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int32($0, radix: 8) }
            return Descriptor(file: file, flags: flags ?? 0)
        }
    }

    @Test("A signal that the program was told to ignore stays ignored; the others use the pipe of the program")
    func ignored() async throws {
        let program = try TestPrograms.program("DeviceProgram").path(percentEncoded: false)
        let shell = URL(filePath: "/bin/sh")
        let script = "trap '' HUP; echo \"pid $$\"; exec \"$0\""
        let pair = try ProcessPair(phone: shell, arguments: ["-c", script, program], watch: shell)
        try await pair.phone.start()
        // The handlers are there as soon as the program answers.
        try pair.phone.tell("set 1")
        try await pair.waitUntil("it has answered") { pair.phone.lines.contains("set 1") }
        let said = pair.phone.lines.first { $0.hasPrefix("pid ") }
        let number = try #require(said.flatMap { Int32($0.dropFirst("pid ".count)) })
        kill(number, SIGHUP)
        for answer in ["set 2", "set 3"] {
            try pair.phone.tell(answer)
            try await pair.waitUntil("it still answers") {
                pair.phone.lines.contains(answer) || pair.phone.hasEnded
            }
        }
        #expect(pair.phone.ending == nil)
        let pipes = try Self.descriptors(of: number).filter { $0.file.hasPrefix("pipe:") }
        let ownPipes = Dictionary(grouping: pipes, by: \.file).values.filter { $0.count == 2 }
        let required = O_CLOEXEC | O_NONBLOCK
        let isPrivate = ownPipes.contains { ends in ends.allSatisfy { $0.flags & required == required } }
        #expect(isPrivate, "\(pipes)")
        try pair.phone.stop()
        #expect(pair.phone.ending == .signal(SIGTERM))
    }

    @Test("A program whose parent has ended before it could follow it ends at once")
    func orphan() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = try TestPrograms.program("PlainProgram")
        process.arguments = ["supported"]
        // No process has this number: it is beyond the largest that Linux gives.
        process.environment = ProcessInfo.processInfo.environment.merging(["WATCHLINK_PARENT": "2147483646"]) { $1 }
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(String(decoding: data, as: UTF8.self) == "")
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 1)
    }
}
