import Foundation
import Processes
import ServiceRuntime
import Testing

/// Programs and files of version 1 with today's services.
@Suite("Version 1", .serialized)
struct Version1Tests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Version1")
    private static let python = "/usr/bin/python3"

    @Test(
        "A companion of version 1 submits quizzes and transfers a file",
        .enabled(if: FileManager.default.isExecutableFile(atPath: python)))
    func peer() throws {
        let bench = try TestBench()
        let host = try bench.start("host", level: "debug")
        // Several chunks, and more than may be in flight.
        let file = URL(filePath: bench.path + "/content")
        let content = Data((0..<2_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try content.write(to: file)

        let process = Process()
        process.executableURL = URL(filePath: Self.python)
        process.arguments = [
            Self.folder.appending(path: "peer.py").path(percentEncoded: false), bench.state().path + "/link.sock", "5",
            file.path(percentEncoded: false),
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let lines = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(lines)\n\(host.lines.suffix(5).joined(separator: "\n"))")
        #expect(
            lines.split(separator: "\n").map(String.init)
                == (0..<5).map { "{\"quiz\": \($0), \"verdict\": \"stored\"}" } + [
                    "{\"TransferUserInfo\": \"Replied\"}", "{\"UpdateApplicationContext\": \"Replied\"}",
                    "{\"TransferFile\": \"Replied\"}",
                ])
        let titles = try bench.titles()
        #expect(titles == (0..<5).map { "Python \($0)" })
        // A file is acknowledged only if its checksum matches.
        host.expectLines(containing: "bytes=2000003")
    }

    @Test("Databases of version 1 are migrated: pending items are sent, stored items are kept")
    func databases() throws {
        let bench = try TestBench()
        try FileManager.default.createDirectory(atPath: bench.state().path, withIntermediateDirectories: true)
        let state = Self.folder.appending(path: "state")
        for name in try FileManager.default.contentsOfDirectory(atPath: state.path(percentEncoded: false)) {
            try FileManager.default.copyItem(
                atPath: state.appending(path: name).path(percentEncoded: false), toPath: bench.state().path + "/" + name
            )
        }
        try PrivateCopy.makePrivate(bench.state().path)
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        companion.expectLines(3, containing: "quiz replied")
        host.expectLines(2, containing: "transfer received")
        let titles = try bench.titles().sorted()
        #expect(titles == ["Quiz 0", "Quiz 0", "Quiz 1", "Quiz 1", "Quiz 2", "Quiz 2"])
    }
}
