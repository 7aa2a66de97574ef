import Configuration
import Foundation
import TestSupport
import Testing

/// The command that makes a package with an application. `.ci/new` builds such a package and follows its README.
@Suite("A new package")
struct NewPackageTests {
    private let bench: TestBench

    init() throws { bench = try TestBench() }

    private func new(_ words: [String]) throws -> CommandResult {
        try TestBench.run(
            "watchlink", ["new", "--watchlink", ProjectFiles.root.path(percentEncoded: false)] + words)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: bench.path + "/" + path, encoding: .utf8)
    }

    @Test("It has a payload, both programs, their configurations and units, tests and a README")
    func files() throws {
        let result = try new(["Steps", "--into", bench.path + "/Steps"])
        #expect(result.code == 0, "\(result)")
        #expect(result.output.contains("its services steps-host and steps-companion"), "\(result)")
        #expect(try text("Steps/Sources/steps-host/main.swift").contains("ServiceProgram.host(Steps.self)"))
        #expect(try text("Steps/Sources/steps-companion/main.swift").contains("ServiceProgram.companion(Steps.self)"))
        let payload = try text("Steps/Sources/StepsPayload/Steps.swift")
        #expect(payload.contains("public static let name = \"steps\"\n"), "\(payload)")
        #expect(payload.contains("public static let plural = \"steps\"\n"), "\(payload)")
        let readme = try text("Steps/README.md")
        #expect(readme.contains("submit --application steps example.json"), "\(readme)")
        let manifest = try text("Steps/Package.swift")
        #expect(!manifest.contains("path: \"/"), "\(manifest)")
        let left = try FileManager.default.contentsOfDirectory(atPath: bench.path).filter { $0.contains("Steps") }
        #expect(left == ["Steps"], "the draft was left: \(left)")
    }

    @Test("Its units name its own programs and directories, and the account of all applications")
    func units() throws {
        let made = try new(["Sleep", "--into", bench.path + "/Sleep"])
        #expect(made.code == 0, "\(made)")
        for side in ["host", "companion"] {
            let unit = try text("Sleep/Config/systemd/system/sleep-\(side).service")
            for line in [
                "ExecStart=/usr/bin/sleep-\(side) --config /etc/sleep/\(side).json5", "User=watchlink",
                "Environment=WATCHLINK_STATE_DIRECTORY=/var/lib/sleep", "StateDirectory=sleep",
                "Documentation=man:sleep-\(side)(8)",
            ] {
                #expect(unit.contains(line), "\(line) is missing: \(unit)")
            }
            #expect(!unit.contains("quiz") && !unit.contains("/var/lib/watchlink"), "\(unit)")
        }
        let socket = try text("Sleep/Config/systemd/system/sleep-host.socket")
        #expect(socket.contains("ListenStream=/var/lib/sleep/link.sock"), "\(socket)")
        #expect(try text("Sleep/Config/tmpfiles.d/sleep.conf").contains("d /var/lib/sleep 0711 watchlink"))
        #expect(try text("Sleep/Config/sysusers.d/watchlink.conf").contains("u watchlink"))
    }

    @Test(
        "The plural follows from the name; the type declares one that is not the name with an “s”",
        arguments: [
            ("Workout", "workouts", false), ("BloodPressure", "bloodpressures", false), ("Entry", "entries", true),
            ("Day", "days", false), ("Steps", "steps", true), ("Glass", "glasses", true), ("Dash", "dashes", true),
            ("A", "as", false),
        ])
    func plurals(_ name: String, _ plural: String, _ isDeclared: Bool) throws {
        let result = try new([name, "--into", bench.path + "/" + name, "--json"])
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(result.output.utf8))
        #expect(value["application"]?.string == plural, "\(result)")
        #expect(value["files"]?.array?.contains("README.md") == true, "\(result)")
        let payload = try text("\(name)/Sources/\(name)Payload/\(name).swift")
        #expect(payload.contains("static let plural = \"\(plural)\"") == isDeclared, "\(payload)")
    }

    @Test("Without --into, the folder has the application's name")
    func defaultFolder() throws {
        let script = "cd \"$1\" && exec \"$2\" new Pulse --watchlink \"$3\""
        let result = try TestBench.run(
            URL(filePath: "/bin/sh"),
            [
                "-c", script, "sh", bench.path, TestBench.program("watchlink").path(percentEncoded: false),
                ProjectFiles.root.path(percentEncoded: false),
            ])
        #expect(result.code == 0, "\(result)")
        #expect(try text("Pulse/Package.swift").contains("name: \"Pulse\""))
    }

    @Test("A name that cannot be a type's, a table's and a program's is refused, with the cure")
    func names() throws {
        for (name, part) in [
            ("steps", "begin with a capital"), ("Blood Pressure", "only letters"), ("Blood-Pressure", "only letters"),
            ("Schritte2", "only letters"), ("Größe", "only letters"), ("../Steps", "only letters"),
            ("", "begin with a capital"), ("Quiz", "another meaning"), ("Device", "another meaning"),
            ("WatchLink", "another meaning"), ("Date", "another meaning"), ("Self", "another meaning"),
            (String(repeating: "A", count: 41), "use 1 to 40 lower-case letters"),
            // The plural has one letter more.
            (String(repeating: "B", count: 40), "use 1 to 40 lower-case letters"),
        ] {
            let result = try new([name, "--into", bench.path + "/new"])
            #expect(result.code == 2, "\(name): \(result)")
            #expect(result.errors.contains(part), "\(name): \(result)")
        }
        #expect(!FileManager.default.fileExists(atPath: bench.path + "/new"))
        let longest = try new([String(repeating: "B", count: 39), "--into", bench.path + "/new"])
        #expect(longest.code == 0, "\(longest)")
    }

    @Test("A folder with files, a file, and a folder in which nothing can be written are refused, and stay as they are")
    func refusals() throws {
        let full = bench.path + "/full"
        try FileManager.default.createDirectory(atPath: full, withIntermediateDirectories: true)
        let file = try bench.write("full/note", "mine")
        for (place, part) in [
            (full, "not empty, and nothing is overwritten"), (file, "is a file, not a folder"),
            ("/proc/Steps", "cannot be written"),
        ] {
            let result = try new(["Steps", "--into", place])
            #expect(result.code == 1, "\(result)")
            #expect(result.errors.contains(part), "\(result)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: full) == ["note"])
        let empty = bench.path + "/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        let allowed = try new(["Steps", "--into", empty])
        #expect(allowed.code == 0, "an empty folder: \(allowed)")
    }
}
