import Foundation
import Testing
import VirtualTime

@testable import watchlink_explore

/// Tests of findings converted to tests.
@Suite("Findings as tests", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct FindingTestTests {
    /// A phone that complains and then waits, with names and texts that need care in source text. It waits itself: a
    /// child process would wait in real time.
    private static func script() throws -> Script {
        let complaint = "echo \"FINDING: \\$HOME is \\\"$HOME\\\"\" >&2; mkfifo f 2>/dev/null; read x <>f"
        let phone = Program(
            name: "phone-2", executable: "/bin/sh", arguments: ["-c", complaint, "a\tb\u{1}"], environment: ["K": "ä\n"]
        )
        return try Script(
            [
                .init(at: .zero, .start(phone)), .init(at: .milliseconds(500), .kill("phone-2")),
                .init(at: .seconds(2), .start(phone)), .init(at: .seconds(3), .clock("phone-2", by: .seconds(-60))),
            ], end: .seconds(60),
            hazards: [Hazard("phone-2", kills: 2, pause: .zero...(.seconds(9)), until: .seconds(50), cutsPower: true)])
    }

    private static func finding(_ seed: UInt64 = 3) throws -> (finding: Finding, performance: Performance) {
        let script = try script()
        var conductor = try Conductor()
        conductor.settings.epoch = 1_893_456_000_000_000_000
        let performance = try conductor.perform(script, JointCourse(seed: seed))
        let finding = try Finding(
            performance, of: script, settings: conductor.settings, ending: .failed(performance.complaint ?? ""))
        return (finding, performance)
    }

    @Test("The test has the programs, the script, each decision, and the failure as its name")
    func text() throws {
        let (finding, performance) = try Self.finding()
        #expect(performance.complaint?.contains("FINDING: $HOME is") == true, "\(performance.complaint ?? "none")")
        let text = try FindingTest("findings/seed-3.json", performance.complaint ?? "", finding, ["a word"]).text(
            "F.swift")
        for part in [
            "import VirtualTime", "func seed3() throws {", #"@Test("the phone-2 failed: FINDING: $HOME is \""#,
            #"let phone2Program = Program("#, #"read x <>f", "a\tb\u{1}"]"#, #""K": "ä\n","#,
            ".init(at: .nanoseconds(500000000), .kill(\"phone-2\")),", ".clock(\"phone-2\", by: .seconds(-60))",
            "until: .seconds(50)", "cutsPower: true)", "conductor.settings.epoch = 1893456000000000000",
            "#expect(performance.complaint == nil)", "//   a word",
            "watchlink explore replay findings/seed-3.json --swift-test F.swift",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        let decisions = text.split(separator: "\n").count { $0.contains("Departure(at: ") }
        #expect(decisions == finding.departures && decisions > 0, "\(decisions) of \(finding.departures)")
    }

    @Test("The compiler accepts the test")
    func compiles() throws {
        let (finding, performance) = try Self.finding()
        let bench = try TestBench()
        let file = bench.path + "/Seed3Tests.swift"
        try FindingTest("findings/seed-3.json", performance.complaint ?? "", finding, []).write(to: file)
        let products = TestBench.program("QuizPair").deletingLastPathComponent().path(percentEncoded: false)
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-I", products + "/Modules", "-Xcc",
            "-fmodule-map-file=\(products)/CVirtualTime.build/module.modulemap", file,
        ]
        let pipe = Pipe()
        compiler.standardError = pipe
        try compiler.run()
        let errors = pipe.fileHandleForReading.readDataToEndOfFile()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0, "\(String(decoding: errors, as: UTF8.self))")
    }
}
