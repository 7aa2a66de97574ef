import Foundation
import Testing
import VirtualTime

/// Devices of a command line: several watches, and replacement builds.
@Suite("Scenes", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct SceneTests {
    private static let pair = TestBench.program("QuizPair").path(percentEncoded: false)

    /// Returns the traces of the first seed.
    private func trace(_ words: String...) throws -> String {
        let bench = try TestBench()
        let result = try TestBench.run(
            "watchlink",
            ["explore", "--seeds", "1...1", "--kills", "0", "--hazards", "none", "--traces", bench.path] + words)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        return try String(contentsOfFile: bench.path + "/seed-1.txt", encoding: .utf8)
    }

    @Test("Each --watch adds a watch with a separate home, and the phone knows all of them")
    func watches() throws {
        let trace = try trace("--phone", Self.pair, "--watch", Self.pair, "--watch", Self.pair, "--watch", Self.pair)
        let headings = trace.split(separator: "\n").filter { $0.hasPrefix("== ") }
        #expect(
            headings.map { $0.prefix { $0 != "," } } == ["== phone", "== watch", "== watch2", "== watch3"],
            "\(headings)")
        let phone = trace.components(separatedBy: "== watch,")[0]
        let devices = phone.matches(of: try Regex("device handshake|companion changed .*device=([0-9A-F-]+)"))
        #expect(devices.count >= 3, "\(phone)")
    }

    @Test("An upgrade replaces a build, which leaves its data; the time between is that of an installation")
    func upgrades() throws {
        let trace = try trace(
            "--phone", "/bin/sleep 9000", "--watch", "/bin/sh -c 'echo kept > note'", "--watch", "/bin/sleep 9000",
            "--upgrade", "watch@20min=/bin/sh -c 'read note < note; echo found $note'", "--upgrade",
            "watch2@20min=/bin/sleep 9000", "--upgrade", "watch2@30min=/bin/echo third")
        for text in [
            "== watch, from 1.0 seconds to 1.0", "== watch, from 1210.0 seconds to 1210.0", "\nfound kept\n",
            "== watch2, from 1.0 seconds to 1200.0 seconds: killed",
            "== watch2, from 1210.0 seconds to 1800.0 seconds: killed", "== watch2, from 1810.0 seconds to 1810.",
            "\nthird\n", "== phone, from 0.0 seconds to 3600.0 seconds: ran until the end",
        ] {
            #expect(trace.contains(text), "\(text): \(trace)")
        }
    }

    @Test(
        "Invalid arguments are answered with the allowed values",
        arguments: [
            (["--upgrade", "tablet@2h=/bin/true"], "with one of phone, watch, watch2 and a virtual time"),
            (["--upgrade", "watch@2=/bin/true"], "it must have the form watch@2h=PROGRAM"),
            (["--upgrade", "watch=/bin/true"], "it must have the form watch@2h=PROGRAM"),
            (["--upgrade", "watch@0s=/bin/true"], "it must be later than 0.0 seconds"),
            (
                ["--upgrade", "watch@500ms=/bin/true"],
                "“watch” is killed at 0.5 seconds, but the script has not started it"
            ),
            (
                ["--upgrade", "watch@9min=/bin/true", "--upgrade", "watch@550s=/bin/true"],
                "it must be later than 550.0 seconds"
            ),
            (["--upgrade", "watch2@59min=/bin/true", "--upgrade", "phone@1h=/bin/true"], "a deed at 3610.0 seconds"),
            (["--upgrade", "watch@9min=/nowhere/app"], "/nowhere/app is not an executable file"),
            (Array(repeating: ["--watch", "/bin/true"], count: 7).flatMap(\.self), "--watch is given 9 times"),
        ])
    func wrongWords(_ words: [String], _ message: String) throws {
        let devices = ["explore", "--phone", "/bin/true", "--watch", "/bin/true", "--watch", "/bin/true"]
        let result = try TestBench.run("watchlink", devices + words)
        #expect(result.code == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
