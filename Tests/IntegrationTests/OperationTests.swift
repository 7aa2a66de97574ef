import Configuration
import ControlSocket
import Foundation
import Glibc
import Processes
import ServiceRuntime
import Testing
import Words

@Suite("Operation")
struct OperationTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    private func json(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    @Test("If a program is missing, nothing is installed, and it is named")
    func missingProgram() throws {
        let folder = URL(filePath: bench.path + "/half")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in [
            "watchlink", "watchlink-companion", "watchlink-explore", "watchlink-torture", "watchlink-scenario",
            "watchlink-player",
        ] {
            try TestBench.install(
                TestBench.program(name).path(percentEncoded: false),
                at: folder.appending(path: name).path(percentEncoded: false))
        }
        let result = try TestBench.run(
            folder.appending(path: "watchlink"), ["install", "--prefix", bench.path + "/prefix"])
        #expect(result.code == 1)
        #expect(
            result.errors.contains(
                "nothing was installed: watchlink-host is not in this program's directory \(folder.path(percentEncoded: false))"
            ))
        #expect(!FileManager.default.fileExists(atPath: bench.path + "/prefix"))
    }

    @Test(
        "Installed programs work in their location, and uninstalling leaves nothing", arguments: [false, true])
    func install(_ isUser: Bool) throws {
        let home = bench.path + "/home"
        let prefix = isUser ? home + "/.local" : bench.path + "/prefix"
        let options = isUser ? ["--user"] : ["--prefix", prefix]
        let environment = ["HOME": home, "XDG_CONFIG_HOME": ""]
        let installed = try TestBench.run("watchlink", ["install"] + options, environment: environment)
        #expect(installed.code == 0, "\(installed)")
        let configuration = isUser ? home + "/.config/watchlink" : prefix + "/etc/watchlink"
        let units = isUser ? home + "/.config/systemd/user" : prefix + "/lib/systemd/system"
        let unit = try String(contentsOfFile: units + "/watchlink-host.service", encoding: .utf8)
        #expect(unit.contains("ExecStart=\(prefix)/bin/watchlink-host --config \(configuration)/host.json5"))
        for page in [
            "man1/watchlink.1", "man1/watchlink-explore.1", "man1/watchlink-scenario.1", "man1/watchlink-torture.1",
            "man1/watchlink-player.1",
            "man8/watchlink-host.8", "man5/watchlink.json5.5", "man7/watchlink-events.7",
        ] {
            #expect(FileManager.default.fileExists(atPath: "\(prefix)/share/man/\(page)"))
        }
        let check = Process()
        check.executableURL = URL(filePath: prefix + "/bin/watchlink-host")
        check.arguments = [
            "--config", configuration + "/host.json5", "--check", "--state-directory", bench.state().path,
        ]
        try check.run()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0)

        // Again: nothing changes. The user's configuration is kept, even when uninstalling.
        let again = try TestBench.run("watchlink", ["install", "--json"] + options, environment: environment)
        let changes = try json(again.output).array?.filter { $0["deed"] != "unchanged" }
        #expect(changes == [])
        try Data("{ log: { level: 'debug' } }".utf8).write(to: URL(filePath: configuration + "/host.json5"))
        let kept = try TestBench.run("watchlink", ["install"] + options, environment: environment)
        #expect(kept.output.contains("kept"))
        let removed = try TestBench.run("watchlink", ["uninstall"] + options, environment: environment)
        #expect(removed.output.contains("kept      \(configuration)/host.json5"))
        let purged = try TestBench.run("watchlink", ["uninstall", "--purge"] + options, environment: environment)
        #expect(purged.output.contains("removed   \(configuration)/host.json5"))
        let left = FileManager.default.enumerator(atPath: isUser ? home : prefix)?.compactMap { $0 as? String } ?? []
        #expect(left.filter { !$0.hasSuffix("/") && $0.contains("watchlink") }.isEmpty, "\(left)")
    }

    @Test("Metrics count events in the Prometheus format; the file has the same content")
    func metrics() throws {
        let file = bench.path + "/host.prom"
        let host = try bench.start(
            "host", config: "{ metrics: { file: '\(file)', interval: 1 }, usage: { events: true } }")
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(7), "--wait"])
        let bad = try bench.watchlink(["faults", "companion", "drop", "out", "message"])
        #expect(bad.code == 0)
        let text = try bench.watchlink(["metrics", "host"]).output
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            #expect(line.wholeMatch(of: /[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+/) != nil, "\(line)")
        }
        #expect(text.contains(#"watchlink_messages_total{kind="data",direction="incoming",status="replied"} 7"#))
        #expect(text.contains("watchlink_quiz_durable_seconds_count 7"))
        #expect(text.contains("watchlink_quiz_batch_size_sum 7"))
        #expect(text.contains(#"watchlink_usage_events_total{event="quiz stored"} 7"#))
        #expect(text.contains("watchlink_link_connections_total 1"))
        let other = try json(try bench.watchlink(["metrics", "companion", "--json"]).output)
        #expect(other[#"watchlink_reply_seconds_count{kind="data"}"#]?.number == 7)
        #expect(other[#"watchlink_outbox_quizzes{state="replied"}"#]?.number == 7)
        // Usage counting was not enabled for the companion.
        #expect(other[#"watchlink_usage_events_total{event="quiz finished"}"#] == nil)
        #expect(
            FileManager.default.contents(atPath: file).map {
                String(decoding: $0, as: UTF8.self).contains("watchlink_build_info")
            } == true)
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("A backup of a running host is restored, verified and compacted; an export is imported elsewhere")
    func database() throws {
        var host = try bench.start("host")
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(20), "--wait"])
        let backup = bench.path + "/backup.sqlite"
        try bench.expectCode(0, of: ["quizzes", "backup", backup])
        let repeatedBackup = try bench.watchlink(["quizzes", "backup", backup]).errors
        #expect(repeatedBackup.contains("exists"))
        let exported = try bench.write("export.json", try bench.watchlink(["quizzes", "export"]).output)
        let first = try #require(try json(try bench.watchlink(["quizzes", "list", "--json"]).output).array?.first)
        try bench.expectCode(0, of: ["quizzes", "delete", first["identifier"]?.string ?? ""])
        let vacuumed = try bench.watchlink(["quizzes", "vacuum"]).output
        #expect(vacuumed.contains("bytes before"))
        let refused = try bench.watchlink(["quizzes", "restore", backup]).errors
        #expect(refused.contains("the host is running; stop it"))
        #expect(host.stop(within: TestBench.limit) == 0)
        let restored = try bench.watchlink(["quizzes", "restore", backup])
        #expect(restored.output.contains("contains 20 quizzes; the former database is "), "\(restored)")
        host = try bench.start("host")
        let titles = try bench.titles()
        #expect(titles == (0..<20).map { "Quiz \($0)" })
        let verified = try bench.watchlink(["quizzes", "verify"]).output
        #expect(verified == "ok: 20 quizzes, all readable\n")
        let imported = try bench.watchlink(["quizzes", "import", exported]).output
        #expect(imported == "0 imported, 20 already present\n")
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))

        // Another host imports the export, with devices and times.
        let other = bench.state("other")
        let newcomer = try bench.start("host", state: other)
        let importedElsewhere = try bench.watchlink(["quizzes", "import", exported], state: other).output
        #expect(importedElsewhere == "20 imported, 0 already present\n")
        let titlesElsewhere = try bench.titles(state: other)
        #expect(titlesElsewhere == (0..<20).map { "Quiz \($0)" })
        let exportedAgain = try bench.watchlink(["quizzes", "export"], state: other).output
        let former = try String(contentsOfFile: exported, encoding: .utf8)
        #expect(exportedAgain == former)
        let wrong = try bench.write("wrong.json", "[{\"title\": \"no device\"}]")
        let wrongImport = try bench.watchlink(["quizzes", "import", wrong], state: other).errors
        #expect(wrongImport.contains("device: must be a UUID"))
        #expect(newcomer.stop(within: TestBench.limit) == 0)
        // A damaged database is detected.
        let file = other.path(of: "quizzes.sqlite")
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        try handle.seek(toOffset: 8_192)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        try handle.close()
        try bench.expectCode(1, of: ["quizzes", "verify"], state: other)
        let doctor = try bench.watchlink(["doctor"], state: other)
        #expect(doctor.code == 1)
        #expect(doctor.output.contains("bad  database: "))
        #expect(doctor.output.contains("bad  host: not running"))
    }

    @Test("Only the latest quizzes are kept where the configuration requires it, also after a reload")
    func retention() throws {
        let file = try bench.write("host.json5", "{}")
        let host = try BackgroundProcess(
            "host", executable: TestBench.program("watchlink-host"),
            arguments: ["--state-directory", bench.state().path, "--config", file])
        host.expectLines(containing: "host: ready")
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(9), "--wait"])
        let titles = try bench.titles()
        #expect(titles.count == 9)
        _ = try bench.write("host.json5", "{ database: { keepCount: 4 } }")
        host.signal(SIGHUP)
        host.expectLines(containing: "quizzes expired count=5")
        let titlesLater = try bench.titles()
        #expect(titlesLater == (5..<9).map { "Quiz \($0)" })
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("The logs and ledgers of real services make a timeline; the doctor finds no problem in them")
    func seeing() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        companion.expectLines(containing: "reachable=true")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(5), "--wait"])
        let doctor = try bench.watchlink(["doctor"])
        #expect(doctor.code == 0, "\(doctor)")
        #expect(doctor.output.contains("ok   link: both sides reach each other"))
        let page = try bench.watchlink(["timeline"])
        #expect(page.output.contains("<h1>5 packages, "))
        #expect(page.output.components(separatedBy: "class=\"package s-replied\"").count == 6)
        let ledgers = ["host", "companion"].map { bench.state().path(of: "\($0)/session.sqlite") }
        let svg = try bench.watchlink(["timeline", "--format", "svg"] + ledgers)
        #expect(svg.output.hasPrefix("<svg "))
        #expect(svg.output.contains("Timeline of 5 packages"))
        try bench.expectCode(1, of: ["timeline", "--since", "2999-01-01T00:00:00Z"])
        let recent = try bench.watchlink(["timeline", "--since", "10min"]).output
        #expect(recent.contains("<h1>5 packages, "))
        try bench.expectCode(1, of: ["timeline", "--since", "1us"])
        let look = try bench.watchlink(["watch"])
        #expect(look.code == 0, "\(look)")
        #expect(look.output.contains("● host (phone)"))
        #expect(look.output.contains("quiz stored"))
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("The live view shows both services and restores the terminal")
    func liveView() throws {
        let host = try bench.start("host")
        var (master, slave): (Int32, Int32) = (0, 0)
        #expect(openpty(&master, &slave, nil, nil, nil) == 0)
        var before = termios()
        tcgetattr(slave, &before)
        let process = Process()
        process.executableURL = TestBench.program("watchlink")
        process.arguments = ["watch", "--state-directory", bench.state().path]
        let terminal = FileHandle(fileDescriptor: slave)
        (process.standardInput, process.standardOutput) = (terminal, terminal)
        try process.run()
        let screen = FileHandle(fileDescriptor: master, closeOnDealloc: true)
        var text = ""
        while !text.contains("host (phone): process") { text += String(decoding: screen.availableData, as: UTF8.self) }
        #expect(text.contains("\u{1B}[?1049h"))
        #expect(text.contains("companion (watch): not running"))
        try screen.write(contentsOf: Data("q".utf8))
        while !text.contains("\u{1B}[?1049l") { text += String(decoding: screen.availableData, as: UTF8.self) }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        var after = termios()
        tcgetattr(slave, &after)
        #expect(before.c_lflag == after.c_lflag)
        #expect(before.c_iflag == after.c_iflag)
        close(slave)
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("Each command has help with an example that names it; a typo gets a hint")
    func help() throws {
        let words = try TestBench.run("watchlink", ["completion", "bash"]).output
        for command in [
            "submit", "status", "watch", "quizzes", "ledger", "timeline", "metrics", "log-level", "doctor", "install",
            "explore",
        ] {
            let help = try TestBench.run("watchlink", ["help", command])
            #expect(help.code == 0, "\(command): \(help)")
            #expect(help.output.contains("Examples:\n  watchlink \(command)"), "\(command)")
            let option = try TestBench.run("watchlink", [command, "--help"]).output
            #expect(help.output == option)
            #expect(words.contains(" \(command)) words="))
        }
        for (arguments, hint) in [
            (["quizes"], "did you mean “quizzes”?"), (["quizzes", "lst"], "did you mean “list”?"),
            (["status", "--jsn"], "did you mean “--json”?"), (["status", "--limit", "3"], "has no option --limit"),
        ] {
            let result = try TestBench.run("watchlink", arguments)
            #expect(result.code == 2, "\(result)")
            #expect(result.errors.contains(hint), "\(result)")
        }
    }

    @Test("Every event is in the manual page, and every setting in its own")
    func manual() throws {
        let events = try TestBench.run("watchlink", ["man", "watchlink-events"]).output
        #expect(events.hasPrefix(".\\\" Generated by"))
        #expect(events.contains("\\fBquiz stored (info)\\fR"))
        #expect(events.components(separatedBy: ".TP\n").count > 80)
        let settings = try TestBench.run("watchlink", ["man", "watchlink.json5"]).output
        #expect(settings.contains("\\fBlog.level: level\\fR"))
        #expect(settings.contains("Default: \"info\". Reload."))
    }

    @Test(
        "Untrusted text cannot control a terminal or spreadsheet; large quizzes are listed, exported and imported"
    )
    func foreignText() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        let title = "=1+1 \u{202E}evil\u{2028}line\u{9B}2J\n@second\n\nfourth"
        let answers = (0..<12).map { _ in
            #"{"question": "q", "choice": "\#(String(repeating: "x", count: 4_000))", "points": 1}"#
        }
        let quizzes = (0..<40).map { _ in
            #"{"title": "\#(title.replacingOccurrences(of: "\n", with: "\\n"))", "takenAt": "2026-11-20T18:30:00Z", "answers": [\#(answers.joined(separator: ","))]}"#
        }
        let file = try bench.write("evil.json", "[" + quizzes.joined(separator: ",") + "]")
        try bench.expectCode(0, of: ["submit", file, "--wait"])
        for words in [
            ["quizzes", "list"], ["quizzes", "list", "--json"], ["quizzes", "export"],
            ["quizzes", "export", "--format", "csv"],
        ] {
            let result = try bench.watchlink(words)
            #expect(result.code == 0)
            let unseen = result.output.unicodeScalars.filter { TerminalText.isUnseen($0) && $0 != "\n" }
            #expect(unseen.map(\.value) == [], "\(words)")
            #expect(result.output.contains("evil"))
        }
        let cells = try bench.watchlink(["quizzes", "export", "--format", "csv"]).output
        #expect(cells.contains(",\"'=1+1 "))
        #expect(!cells.contains(",=1+1"))
        // Also for a reader that splits lines before it parses quotation marks.
        #expect(cells.contains("\n'@second\n\nfourth\","))
        #expect(!cells.contains("\n@"))
        let exported = try bench.write("export.json", try bench.watchlink(["quizzes", "export"]).output)
        let listed = try json(try bench.watchlink(["quizzes", "list", "--json"]).output).array ?? []
        #expect(listed.count == 40)
        #expect(listed.filter { $0["title"]?.string != title } == [])
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
        let other = bench.state("other")
        let newcomer = try bench.start("host", state: other)
        let imported = try bench.watchlink(["quizzes", "import", exported], state: other).output
        #expect(imported.hasPrefix("40 imported, 0"))
        let refused = try bench.watchlink(["quizzes", "import", "-"], state: other, input: "[{}").errors
        #expect(refused.contains("is not a list of quizzes"))
        #expect(newcomer.stop(within: TestBench.limit) == 0)
    }

    @Test("Quizzes that expire only by a clock change wait for confirmation")
    func heldBack() throws {
        var host = try bench.start("host")
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(17), "--wait"])
        let exported = try json(try bench.watchlink(["quizzes", "export"]).output).array ?? []
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
        // As with a clock 400 days ahead: nine of them arrived long ago.
        let moved = exported.enumerated().map { index, quiz -> JSONValue in
            guard case .object(var fields) = quiz, index < 9 else { return quiz }
            fields["receivedAt"] = "2020-01-01T00:00:00Z"
            return .object(fields)
        }
        let other = bench.state("other")
        host = try bench.start("host", state: other)
        let file = try bench.write("moved.json", try JSONValue.array(moved).text())
        try bench.expectCode(0, of: ["quizzes", "import", file], state: other)
        #expect(host.stop(within: TestBench.limit) == 0)
        host = try bench.start("host", state: other, config: "{ database: { keepDays: 30 } }")
        host.expectLines(containing: "quizzes held back count=9")
        let count = try bench.watchlink(["quizzes", "count"], state: other).output
        #expect(count == "17\n")
        let doctor = try bench.watchlink(["doctor"], state: other).output
        #expect(doctor.contains("retention: 9 quizzes are too old"))
        let expired = try bench.watchlink(["quizzes", "expire"], state: other).output
        #expect(expired == "9 removed\n")
        // Whatever their number, the answer is immediate.
        let begun = try ControlClient(path: other.hostControlSocket, timeout: .seconds(30)).call(
            "quizzes.expire", ["inBackground": true])
        #expect(begun["task"] != nil, "\(begun)")
        let countLater = try bench.watchlink(["quizzes", "count"], state: other).output
        #expect(countLater == "8\n")
        #expect(host.stop(within: TestBench.limit) == 0)
    }
}
