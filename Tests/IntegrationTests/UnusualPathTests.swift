import Foundation
import Processes
import ServiceRuntime
import TestSupport
import Testing

/// A file's path is the bytes of its name: no character is converted.
@Suite("Unusual paths")
struct UnusualPathTests {
    private static let name = "Übung 100 %41"

    private let bench: TestBench
    init() throws { bench = try TestBench() }

    /// The entries beside the directory; the bench's own mark is hidden.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.path).filter { !$0.hasPrefix(".") }
    }

    @Test("Everything works in a directory whose name has a space, a percent sign and an umlaut")
    func services() throws {
        let state = bench.state(Self.name)
        let (host, companion) = (try bench.start("host", state: state), try bench.start("companion", state: state))
        companion.expectLines(containing: "reachable=true")
        let submitted = try bench.watchlink(["submit", try bench.quizzes(3), "--wait"], state: state)
        #expect(submitted.code == 0, "\(submitted)")
        let titles = try bench.titles(state: state)
        #expect(titles.count == 3)
        let doctor = try bench.watchlink(["doctor"], state: state)
        #expect(doctor.code == 0, "\(doctor)")
        // The directory, a log in it, a ledger in it.
        for words in [[], [state.path], [state.path(of: "host.log")], [state.path(of: "companion/session.sqlite")]] {
            let page = try bench.watchlink(["timeline"] + words, state: state)
            #expect(page.output.contains("<h1>3 packages, "), "\(words): \(page.errors)")
        }
        let copy = bench.path + "/\(Self.name).sqlite"
        try bench.expectCode(0, of: ["quizzes", "backup", copy], state: state)
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
        let restored = try bench.watchlink(["quizzes", "restore", copy], state: state)
        #expect(restored.code == 0, "\(restored)")
        #expect(FileManager.default.fileExists(atPath: copy))
        #expect(FileManager.default.fileExists(atPath: state.path(of: "host/session.sqlite")))
        // Nothing is created under another spelling of the name.
        let entries = Set(try names())
        #expect(entries == [Self.name, "\(Self.name).sqlite", "quizzes.json"])
    }

    @Test("Files named in a configuration are created in their places")
    func configured() throws {
        let folder = bench.path + "/\(Self.name)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let config = try bench.write("\(Self.name)/h %20.json5", "{ log: { file: 'ö %2f.log' } }")
        let checked = try TestBench.run(
            "watchlink-host", ["--config", config, "--state-directory", folder, "--check"])
        #expect(checked.code == 0, "\(checked)")
        let shown = try TestBench.run(
            "watchlink-host", ["--config", config, "--state-directory", folder, "--print-config"])
        #expect(shown.output.contains("\(folder)/ö %2f.log"), "\(shown)")
    }

    @Test("An installation goes to the requested place, and its units spell the path as systemd reads it")
    func installed() throws {
        let prefix = bench.path + "/\(Self.name)"
        let result = try TestBench.run("watchlink", ["install", "--prefix", prefix])
        #expect(result.code == 0, "\(result)")
        let unit = try String(contentsOfFile: prefix + "/lib/systemd/system/watchlink-host.service", encoding: .utf8)
        let word = bench.path + #"/Übung\x20100\x20%%41"#
        #expect(
            unit.contains("ExecStart=\(word)/bin/watchlink-host --config \(word)/etc/watchlink/host.json5\n"), "\(unit)"
        )
        let removed = try TestBench.run("watchlink", ["uninstall", "--prefix", prefix])
        #expect(removed.code == 0, "\(removed)")
        let left = try names().filter { $0 != Self.name }
        #expect(left == [])
    }

    @Test("No file path is spelled as in a URL: “path()” writes %20 for a space")
    func spelling() throws {
        var count = 0
        for folder in ["Sources", "Tests"] {
            for file in ProjectFiles.all(below: folder, suffix: ".swift") {
                count += 1
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                // In two parts, so that this line does not match.
                let wrong = lines.filter {
                    $0.contains("." + "path()") || $0.contains("path(percentEncoded: " + "true")
                }
                #expect(wrong == [], "\(file.lastPathComponent): write path(percentEncoded: false)")
            }
        }
        #expect(count > 500)
    }
}
