import Configuration
import ControlSocket
import Foundation
import Processes
import ServiceRuntime
import TestSupport
import Testing

/// The files of the second application's payloads, through both services.
@Suite("Workouts with files")
struct WorkoutFileTests {
    private let bench: TestBench
    /// The messages of a series of 3,100 samples have more than the usual limit.
    private let configuration: String

    init() throws {
        bench = try TestBench()
        configuration = try bench.write("large.json5", "{ payloads: { message: 458752 } }")
    }

    private func start(_ service: String, crashAt point: String? = nil) throws -> BackgroundProcess {
        var environment = ProcessInfo.processInfo.environment
        environment["WATCHLINK_CRASH_AT"] = point
        let process = try BackgroundProcess(
            service, executable: TestBench.program("Workouts"),
            arguments: [
                service, "--state-directory", bench.state().path, "--log-level", "info", "--config", configuration,
            ],
            environment: environment)
        try #require(
            process.waitForLines(containing: "\(service): ready", within: TestBench.limit),
            "\(service) did not start: \(process.lines.joined(separator: "\n"))")
        return process
    }

    private func call(_ service: String, _ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
        let state = bench.state()
        let path = service == "host" ? state.hostControlSocket : state.companionControlSocket
        return try ControlClient(path: path, timeout: .seconds(60)).call(method, params)
    }

    private func watchlink(_ words: [String]) throws -> CommandResult {
        try TestBench.run("watchlink", ["--state-directory", bench.state().path] + words)
    }

    /// A workout of 200 KB.
    private static func workout(_ number: Int, _ identifier: UUID) -> JSONValue {
        let samples = (0..<3_100).map { second in
            JSONValue.object(["seconds": .integer(Int64(second)), "rate": .integer(Int64(100 + second % 7))])
        }
        return [
            "identifier": .string(identifier.uuidString), "sport": .string("run \(number)"),
            "startedAt": "2026-11-20T18:30:00.250Z", "samples": .array(samples),
        ]
    }

    /// A file of 200 KB, another one for each number.
    private func track(_ number: Int) throws -> (path: String, content: String) {
        let content = String(repeating: "place \(number)\n", count: 200_000 / 8)
        return (try bench.write("track \(number).gpx", content), content)
    }

    private func submit(_ number: Int, _ identifier: UUID, file: String?) throws -> JSONValue {
        var params: [String: JSONValue] = ["workouts": .array([Self.workout(number, identifier)])]
        params["file"] = file.map { .string($0) }
        return try call("companion", "submit", .object(params))
    }

    private func wait(for identifiers: [UUID]) throws -> [String?] {
        try identifiers.map { identifier in
            try call(
                "companion", "wait",
                ["identifier": .string(identifier.uuidString), "application": "workouts", "within": 30])["status"]?
                .string
        }
    }

    private func stored() throws -> [String] {
        var (found, cursor): ([String], JSONValue) = ([], "")
        while true {
            let page = try call("host", "workouts.list", ["cursor": cursor])
            guard let next = page["next"], next != .null else { return found }
            found += page["workouts"]?.array?.compactMap { $0["identifier"]?.string } ?? []
            cursor = next
        }
    }

    /// The names of the files in the outbox.
    private func waitingFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.state().path + "/outbox-workouts.sqlite-files")
    }

    @Test("A file is submitted, shown, written, exported with its record, imported, and goes with its record")
    func commands() throws {
        let (host, companion) = (try start("host"), try start("companion"))
        let identifier = UUID()
        let (path, content) = try track(1)
        let document = try bench.write("run.json", try Self.workout(1, identifier).text())
        let words = ["submit", "--application", "workouts", document, "--file", path, "--wait"]
        let sent = try watchlink(words)
        #expect(sent.output.contains("\(identifier) replied") && sent.code == 0, "\(sent)")
        let again = try watchlink(words)
        #expect(again.output == "\(identifier) replied\n", "\(again)")
        let other = try watchlink(
            ["submit", "--application", "workouts", document, "--file", try track(2).path])
        #expect(other.output.contains("different content was already accepted") && other.code != 0, "\(other)")
        #expect(try waitingFiles() == [], "what was delivered or refused leaves no file in the outbox")
        let list = try watchlink(["records", "workouts", "list"])
        #expect(list.output.contains("TRACK BYTES"), "\(list)")
        let shown = try call("host", "workouts.show", ["identifier": .string(identifier.uuidString)])
        #expect(shown["track"]?["name"] == "track 1.gpx")
        #expect(shown["track"]?["bytes"] == .integer(Int64(content.utf8.count)))
        let copy = bench.path + "/copy.gpx"
        let written = try watchlink(["records", "workouts", "file", identifier.uuidString, copy])
        #expect(written.code == 0, "\(written)")
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == content)
        let refused = try watchlink(["records", "workouts", "file", identifier.uuidString, copy])
        #expect(refused.errors.contains("already exists"), "\(refused)")
        let files = bench.path + "/files"
        let exported = try watchlink(["records", "workouts", "export", "--files", files])
        let all = try bench.write("all.json", exported.output)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 1)
        let verified = try watchlink(["records", "workouts", "verify"])
        #expect(verified.output == "ok: 1 workout, all readable\n", "\(verified)")
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
        try moveIntoNewState(all, files, content, identifier)
    }

    /// Imports an export into a host without records.
    private func moveIntoNewState(_ all: String, _ files: String, _ content: String, _ identifier: UUID) throws {
        try FileManager.default.moveItem(atPath: bench.state().path, toPath: bench.path + "/former")
        let host = try start("host")
        let lacking = try watchlink(["records", "workouts", "import", all])
        #expect(lacking.code != 0 && lacking.errors.contains("import with --files"), "\(lacking)")
        let imported = try watchlink(["records", "workouts", "import", all, "--files", files])
        #expect(imported.output == "1 imported, 0 already present\n", "\(imported)")
        let copy = bench.path + "/imported.gpx"
        let written = try watchlink(["records", "workouts", "file", identifier.uuidString, copy])
        #expect(written.code == 0, "\(written)")
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == content)
        let removed = try watchlink(["records", "workouts", "delete", identifier.uuidString])
        #expect(removed.code == 0, "\(removed)")
        let gone = try watchlink(["records", "workouts", "file", identifier.uuidString, bench.path + "/gone.gpx"])
        #expect(gone.code != 0 && gone.errors.contains("does not exist"), "\(gone)")
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("Wrong files are refused with the reason before anything is accepted")
    func refusals() throws {
        let companion = try start("companion")
        let document = try bench.write("run.json", try Self.workout(1, UUID()).text())
        let submit = ["submit", "--application", "workouts", document]
        let missing = try watchlink(submit + ["--file", bench.path + "/none.gpx"])
        #expect(missing.code != 0 && missing.errors.contains("none.gpx"), "\(missing)")
        let two = try watchlink(submit + [document, "--file", try track(1).path])
        #expect(two.code == 2 && two.errors.contains("--file belongs to one document"), "\(two)")
        let large = bench.path + "/large.gpx"
        #expect(FileManager.default.createFile(atPath: large, contents: Data(count: 16 * 1_024 * 1_024 + 1)))
        let refused = try watchlink(submit + ["--file", large])
        #expect(refused.code != 0 && refused.errors.contains("more than the limit of 16777216"), "\(refused)")
        var described = Self.workout(2, UUID())
        if case .object(var fields) = described {
            fields["track"] = [
                "name": "track.gpx", "bytes": 3, "sha256": .string(String(repeating: "0", count: 64)),
            ]
            described = .object(fields)
        }
        let result = try call("companion", "submit", ["workouts": .array([described])]).array?.first
        #expect(result?["status"] == "rejected")
        #expect(result?["reason"]?.string?.contains("submit both together") == true, "\(result ?? .null)")
        let status = try call("companion", "status")["applications"]?["workouts"]?["outbox"]
        #expect(status?["pending"] == 0, "\(status ?? .null)")
        #expect(companion.stop(within: TestBench.limit) == 0)
    }

    /// Kills the service at the second pass of a point, while six workouts are submitted, four of them with a file.
    private func kill(at point: String, onHost: Bool, pass: Int) throws {
        var host = try start("host", crashAt: onHost ? "\(point):\(pass)" : nil)
        var companion = try start("companion", crashAt: onHost ? nil : "\(point):\(pass)")
        var isRestarted = false
        let identifiers = (0..<6).map { _ in UUID() }
        var contents: [String?] = []
        for (number, identifier) in identifiers.enumerated() {
            let track = number % 3 == 1 ? nil : try track(number)
            contents.append(track?.content)
            do {
                _ = try submit(number, identifier, file: track?.path)
            } catch {
                // It was killed: the client submits again, as it got no answer.
                #expect(companion.waitForEnd(within: TestBench.limit), "\(error)")
                companion = try start("companion")
                isRestarted = true
                _ = try submit(number, identifier, file: track?.path)
            }
        }
        if onHost {
            #expect(host.waitForEnd(within: TestBench.limit), "\(point) was not passed")
            host = try start("host")
        } else if !isRestarted {
            #expect(companion.waitForEnd(within: TestBench.limit), "\(point) was not passed")
            companion = try start("companion")
        }
        #expect(try wait(for: identifiers) == Array(repeating: "replied", count: 6))
        #expect(try stored() == identifiers.map(\.uuidString), "each is stored once, in the order of acceptance")
        for (identifier, content) in zip(identifiers, contents) {
            guard let content else { continue }
            let copy = bench.path + "/\(identifier).gpx"
            _ = try call(
                "host", "workouts.file", ["identifier": .string(identifier.uuidString), "path": .string(copy)])
            #expect(try String(contentsOfFile: copy, encoding: .utf8) == content)
        }
        #expect(try call("host", "workouts.verify")["problems"] == .array([]))
        #expect(try waitingFiles() == [])
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test(
        "Wherever the host is killed, each workout and its file are stored once",
        arguments: [
            ("file-chunk-written", 3), ("file-finished", 2), ("workout-file-received", 2), ("workout-file-kept", 2),
            ("workout-decoded", 3), ("workout-committed", 2), ("workout-replied", 3),
        ])
    func hostKilled(_ point: String, pass: Int) throws { try kill(at: point, onHost: true, pass: pass) }

    @Test(
        "Wherever the companion is killed, each workout and its file are stored once",
        arguments: [
            ("workout-file-accepted", 2), ("workout-accepted", 3), ("workout-file-queued", 2),
            ("workout-file-delivered", 2), ("acknowledgement-received", 2), ("end-recorded", 2),
        ])
    func companionKilled(_ point: String, pass: Int) throws { try kill(at: point, onHost: false, pass: pass) }
}
