import Configuration
import ControlSocket
import Foundation
import Processes
import ServiceRuntime
import TestSupport
import Testing

/// The second application, beside the first one in the same pair of services.
@Suite("Workouts")
struct WorkoutTests {
    private let bench: TestBench

    init() throws { bench = try TestBench() }

    /// - Parameters:
    ///   - point: The crash point at which the service kills itself.
    ///   - configuration: The path of its configuration.
    private func start(
        _ service: String, crashAt point: String? = nil, configuration: String? = nil
    ) throws -> BackgroundProcess {
        var environment = ProcessInfo.processInfo.environment
        environment["WATCHLINK_CRASH_AT"] = point
        let process = try BackgroundProcess(
            service, executable: TestBench.program("Workouts"),
            arguments: [service, "--state-directory", bench.state().path, "--log-level", "info"]
                + (configuration.map { ["--config", $0] } ?? []),
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

    private static func workout(
        _ number: Int, _ identifier: UUID = UUID(), sport: String = "run", samples count: Int = 100
    ) -> JSONValue {
        let samples = (0..<count).map { second in
            JSONValue.object(["seconds": .integer(Int64(second)), "rate": .integer(Int64(100 + second % 7))])
        }
        return [
            "identifier": .string(identifier.uuidString), "sport": .string("\(sport) \(number)"),
            "startedAt": "2026-11-20T18:30:00.250Z", "samples": .array(samples),
        ]
    }

    /// A workout without an identifier.
    private static func row(_ number: Int) -> JSONValue {
        guard case .object(var fields) = workout(number) else { return .null }
        fields["identifier"] = nil
        return .object(fields)
    }

    private static func quiz(_ number: Int) -> JSONValue {
        [
            "title": .string("Quiz \(number)"), "takenAt": "2026-11-20T18:30:00Z",
            "answers": .array([["question": "How many?", "choice": "3 to 4", "points": 3]]),
        ]
    }

    /// The values of a field in a list.
    private func listed(_ plural: String, _ field: String) throws -> [String] {
        try call("host", "\(plural).list").array?.compactMap { $0[field]?.string } ?? []
    }

    private func wait(for identifiers: [String]) throws -> [String?] {
        try identifiers.map { identifier in
            try call(
                "companion", "wait", ["identifier": .string(identifier), "application": "workouts", "within": 30])[
                    "status"]?
                .string
        }
    }

    @Test("Both applications deliver through one pair of services, each into its own database")
    func both() throws {
        let (host, companion) = (try start("host"), try start("companion"))
        let workouts = (0..<5).map { Self.workout($0) }
        let accepted = try call("companion", "submit", ["workouts": .array(workouts)]).array ?? []
        #expect(accepted.map { $0["status"]?.string } == Array(repeating: "accepted", count: 5))
        let quizzes = try call("companion", "submit", ["quizzes": .array((0..<3).map(Self.quiz))]).array ?? []
        for quiz in quizzes {
            let settled = try call("companion", "wait", ["identifier": quiz["identifier"] ?? .null, "within": 30])
            #expect(settled["status"] == "replied")
        }
        let settled = try wait(for: accepted.compactMap { $0["identifier"]?.string })
        #expect(settled == Array(repeating: "replied", count: 5))
        let sports = try listed("workouts", "sport")
        #expect(sports == (0..<5).map { "run \($0)" })
        let titles = try bench.titles()
        #expect(titles == ["Quiz 0", "Quiz 1", "Quiz 2"])
        let row = try #require(try call("host", "workouts.list").array?.first)
        #expect(row["sampleCount"] == 100)
        #expect(row["startedAt"] == "2026-11-20T18:30:00.250Z")
        #expect(row["isAheadOfClock"] == false)
        let status = try call("host", "status")
        #expect(status["quizzes"] == 3)
        #expect(status["applications"]?["workouts"]?["workouts"] == 5)
        let outbox = try call("companion", "status")["applications"]?["workouts"]?["outbox"]
        #expect(outbox?["replied"] == 5)
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("An operator shows, changes, deletes, exports, imports, backs up and verifies workouts")
    func operation() throws {
        let (host, companion) = (try start("host"), try start("companion"))
        let identifiers = (0..<3).map { _ in UUID() }
        let workouts = identifiers.enumerated().map { Self.workout($0, $1) }
        _ = try call("companion", "submit", ["workouts": .array(workouts)])
        _ = try wait(for: identifiers.map(\.uuidString))
        func key(_ index: Int) -> JSONValue { .string(identifiers[index].uuidString) }
        let shown = try call("host", "workouts.show", ["identifier": key(0)])
        #expect(shown["samples"]?.array?.count == 100)
        #expect(shown["meanRate"]?.number.map { abs($0 - 102.95) < 0.01 } == true, "\(shown["meanRate"] ?? .null)")
        var changed = Self.workout(9, identifiers[0], sport: "swim")
        if case .object(var fields) = changed {
            fields["identifier"] = nil
            changed = .object(fields)
        }
        let updated = try call("host", "workouts.update", ["identifier": key(0), "workout": changed])
        #expect(updated["sport"] == "swim 9")
        let exported = try call("host", "workouts.export")
        _ = try call("host", "workouts.delete", ["identifier": key(1)])
        let left = try call("host", "workouts.count")
        #expect(left == 2)
        // What was deleted stays so, and what is there is kept.
        let imported = try call("host", "workouts.import", ["workouts": exported])
        #expect(imported["stored"] == 0)
        #expect(imported["present"] == 3)
        let verified = try call("host", "workouts.verify")
        #expect(verified["problems"] == .array([]), "\(verified)")
        #expect(verified["workouts"] == 2)
        let copy = bench.path + "/workouts-copy.sqlite"
        let backup = try call("host", "workouts.backup", ["path": .string(copy)])
        #expect(backup["bytes"]?.integer.map { $0 > 0 } == true)
        let vacuumed = try call("host", "workouts.vacuum")
        #expect(vacuumed["after"]?.integer.map { $0 > 0 } == true)
        #expect(throws: (any Error).self) { try call("host", "workouts.show", ["identifier": key(1)]) }
        #expect(throws: (any Error).self) { try call("host", "runs.list") }
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("The command line submits, lists, shows, changes, exports and removes workouts")
    func commandLine() throws {
        let (host, companion) = (try start("host"), try start("companion"))
        func watchlink(_ words: [String]) throws -> CommandResult {
            try TestBench.run("watchlink", ["--state-directory", bench.state().path] + words)
        }
        let identifier = UUID().uuidString
        let other = UUID().uuidString
        let workouts = JSONValue.array([
            Self.workout(1, UUID(uuidString: identifier) ?? UUID()), Self.workout(2, UUID(uuidString: other) ?? UUID()),
        ])
        let file = try bench.write("workouts.json", try workouts.text())
        let sent = try watchlink(["submit", "--application", "workouts", file, "--wait"])
        #expect(sent.output.contains("\(identifier) replied"), "\(sent)")
        #expect(sent.code == 0)
        let again = try watchlink(["submit", "--application", "workouts", file, "--wait"])
        #expect(again.code == 0, "\(again)")
        // Documents without identifiers get the same ones again, and equal documents in a file get different ones.
        let anonymous = try bench.write(
            "anonymous.json", try JSONValue.array([Self.row(3), Self.row(3), Self.row(4)]).text())
        let first = try watchlink(["submit", "--application", "workouts", anonymous, "--wait"])
        let second = try watchlink(["submit", "--application", "workouts", anonymous, "--wait"])
        let submitted = Set(first.output.split(separator: "\n").map { $0.prefix(while: { $0 != " " }) })
        #expect(submitted.count == 3 && first.output.contains("replied"), "\(first)")
        let repeated = Set(second.output.split(separator: "\n").map { $0.prefix(while: { $0 != " " }) })
        #expect(repeated == submitted, "\(second)")
        for identifier in submitted {
            let deleted = try watchlink(["records", "workouts", "delete", String(identifier)])
            #expect(deleted.code == 0, "\(deleted)")
        }
        let known = try watchlink(["records"])
        #expect(known.output.contains("workouts     sport, startedAt, sampleCount, meanRate"), "\(known)")
        let list = try watchlink(["records", "workouts", "list"]).output.split(separator: "\n").map(String.init)
        #expect(list.count == 3, "\(list)")
        #expect(list.first?.contains("SPORT") == true && list.first?.contains("MEAN RATE") == true, "\(list)")
        #expect(list.last?.contains("run 2") == true, "\(list)")
        let shown = try watchlink(["records", "workouts", "show", identifier])
        #expect(shown.output.contains("sport         run 1") && shown.output.contains("\"samples\""), "\(shown)")
        let table = try watchlink(["records", "workouts", "export", "--format", "csv"])
        #expect(
            table.output.hasPrefix(
                "sequence,identifier,device,sport,startedAt,sampleCount,meanRate,trackBytes,receivedAt,"),
            "\(table)")
        var changed = Self.workout(9, sport: "swim")
        if case .object(var fields) = changed {
            fields["identifier"] = nil
            changed = .object(fields)
        }
        let document = try bench.write("changed.json", try changed.text())
        let updated = try watchlink(["records", "workouts", "update", identifier, document])
        #expect(updated.output == "updated \(identifier)\n", "\(updated)")
        let exported = try bench.write("exported.json", try watchlink(["records", "workouts", "export"]).output)
        #expect(try watchlink(["records", "workouts", "delete", other]).output == "deleted \(other)\n")
        #expect(try watchlink(["records", "workouts", "import", exported]).output == "0 imported, 2 already present\n")
        #expect(try watchlink(["records", "workouts", "count"]).output == "1\n")
        #expect(try watchlink(["records", "workouts", "verify"]).output == "ok: 1 workout, all readable\n")
        let outbox = try watchlink(["outbox", "show", other, "--application", "workouts"])
        #expect(outbox.output.contains("state        replied") && outbox.output.contains("run 2"), "\(outbox)")
        let doctor = try watchlink(["doctor"])
        for file in ["workouts.sqlite", "outbox-workouts.sqlite", "quizzes.sqlite"] {
            #expect(doctor.output.contains("/\(file) is sound"), "\(doctor)")
        }
        let status = try watchlink(["status"])
        #expect(status.output.contains("workouts   1") && status.output.contains("outbox of workouts"), "\(status)")
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("Each service prints a manual page of its own, with its records, files and events")
    func manualPages() throws {
        let pages = try ["host", "companion"].map { service in
            let page = try TestBench.run("Workouts", [service, "--man"])
            #expect(page.code == 0, "\(page)")
            #expect(page.output.hasPrefix(".\\\" Generated by “Workouts \\-\\-man”.\n.TH WORKOUTS 8"), "\(page)")
            return page.output
        }
        for part in [
            "workouts.sqlite\\fR\nthe workouts and their files", "sampleCount\\fR\na whole number",
            "workout stored (info)",
        ] {
            #expect(pages[0].contains(part), "\(part) is not in \(pages[0])")
        }
        for part in ["outbox\\-workouts.sqlite\\-files", "workout accepted (info)", "watchlink submit \\-\\-file"] {
            #expect(pages[1].contains(part), "\(part) is not in \(pages[1])")
        }
    }

    @Test("A name that no application has, and a host that is not running, are refused with what to do")
    func unknownApplication() throws {
        func watchlink(_ words: [String]) throws -> CommandResult {
            try TestBench.run("watchlink", ["--state-directory", bench.state().path] + words)
        }
        let stopped = try watchlink(["records", "workouts", "list"])
        #expect(stopped.code == 7, "\(stopped)")
        let (host, companion) = (try start("host"), try start("companion"))
        let unknown = try watchlink(["records", "runs", "list"])
        #expect(unknown.errors.contains("“runs” must be one of quizzes, workouts"), "\(unknown)")
        let file = try bench.write("runs.json", try Self.workout(1).text())
        let refused = try watchlink(["submit", "--application", "runs", file])
        #expect(refused.errors.contains("no application “runs”; name one by --application: quizzes, workouts"))
        let restored = try watchlink(["records", "workouts", "restore", "copy.sqlite"])
        #expect(restored.errors.contains("only quizzes can be restored"), "\(restored)")
        let unfinished = try watchlink(["submit", "--application", "workouts", try bench.write("x.json", "[{}, {")])
        #expect(unfinished.code != 0 && unfinished.errors.contains("x.json"), "\(unfinished)")
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("An invalid workout is rejected with the wrong field, and does not hold up the others")
    func invalid() throws {
        let (host, companion) = (try start("host"), try start("companion"))
        var wrong = Self.workout(1)
        if case .object(var fields) = wrong {
            fields["samples"] = .array([["seconds": 0, "rate": 400]])
            wrong = .object(fields)
        }
        let results = try call("companion", "submit", ["workouts": .array([wrong, Self.workout(2)])]).array ?? []
        #expect(results.map { $0["status"]?.string } == ["rejected", "accepted"])
        #expect(results.first?["reason"] == "samples[0].rate: is not between 20 and 300")
        let settled = try wait(for: results.compactMap { $0["identifier"]?.string })
        #expect(settled == ["replied"])
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test(
        "Whichever service is killed, and wherever, each workout is stored once, in the order of acceptance",
        arguments: [
            "workout-decoded", "workout-committed", "workout-replied", "workout-accepted", "acknowledgement-received",
            "end-recorded",
        ])
    func kills(_ point: String) throws {
        let onHost = ["workout-decoded", "workout-committed", "workout-replied"].contains(point)
        // Several may be in one round; decoding, replies and acceptance are passed for each.
        let pass = ["workout-decoded", "workout-replied", "workout-accepted"].contains(point) ? 2 : 1
        var host = try start("host", crashAt: onHost ? "\(point):\(pass)" : nil)
        var companion = try start("companion", crashAt: onHost ? nil : "\(point):\(pass)")
        var isRestarted = false
        let identifiers = (0..<6).map { _ in UUID() }
        for (number, identifier) in identifiers.enumerated() {
            do {
                _ = try call("companion", "submit", ["workouts": .array([Self.workout(number, identifier)])])
            } catch {
                // It was killed: the client submits again, as it got no answer.
                #expect(companion.waitForEnd(within: TestBench.limit), "\(error)")
                companion = try start("companion")
                isRestarted = true
                _ = try call("companion", "submit", ["workouts": .array([Self.workout(number, identifier)])])
            }
        }
        if onHost {
            #expect(host.waitForEnd(within: TestBench.limit), "\(point) was not passed")
            host = try start("host")
        } else if !isRestarted {
            #expect(companion.waitForEnd(within: TestBench.limit), "\(point) was not passed")
            companion = try start("companion")
        }
        let settled = try wait(for: identifiers.map(\.uuidString))
        #expect(settled == Array(repeating: "replied", count: 6))
        let stored = try listed("workouts", "identifier")
        #expect(stored == identifiers.map(\.uuidString))
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("Workouts of 200 KB each pass through a kill of the host, and through every command")
    func large() throws {
        // So many samples have an archive of 210 KB, and half of that as JSON; with the usual limits it is refused with what to set.
        let documents = try bench.write(
            "large.json", try JSONValue.array((0..<8).map { Self.workout($0, samples: 3_100) }).text())
        func watchlink(_ words: [String]) throws -> CommandResult {
            try TestBench.run("watchlink", ["--state-directory", bench.state().path] + words)
        }
        let submit = ["submit", "--application", "workouts", documents, "--wait"]
        var companion = try start("companion")
        let refused = try watchlink(["submit", "--application", "workouts", documents])
        #expect(refused.code != 0)
        #expect((refused.output + refused.errors).contains("the limit is 65536 (payloads.message)"), "\(refused)")
        #expect(companion.stop(within: TestBench.limit) == 0)
        let configuration = try bench.write("large.json5", "{ payloads: { message: 458752 } }")
        companion = try start("companion", configuration: configuration)
        var host = try start("host", crashAt: "workout-committed", configuration: configuration)
        let accepted = try watchlink(submit.dropLast())
        #expect(accepted.code == 0, "\(accepted)")
        #expect(host.waitForEnd(within: TestBench.limit), "workout-committed was not passed")
        host = try start("host", configuration: configuration)
        let replied = try watchlink(submit)
        #expect(replied.code == 0, "\(replied)")
        let list = try watchlink(["records", "workouts", "list", "--json"])
        let rows = try JSONDecoder().decode([JSONValue].self, from: Data(list.output.utf8))
        #expect(rows.map { $0["sport"]?.string } == (0..<8).map { "run \($0)" })
        // A page of such records is shorter, and the list goes on behind it.
        let page = try listed("workouts", "sport")
        #expect((1..<8).contains(page.count), "\(page)")
        let exported = try watchlink(["records", "workouts", "export"])
        #expect(exported.code == 0 && exported.output.utf8.count > 8 * 3_100 * 20, "\(exported.errors)")
        let file = try bench.write("export.json", exported.output)
        let identifier = try #require(rows.last?["identifier"]?.string)
        let shown = try watchlink(["records", "workouts", "show", identifier, "--json"])
        #expect(shown.output.utf8.count > 3_100 * 20, "\(shown.errors)")
        let copy = bench.state().path + "/copy.sqlite"
        let migrated = try watchlink(["records", "workouts", "migrate", "to", copy])
        #expect(migrated.output.contains("8 verified by SHA-256"), "\(migrated)")
        let removed = try watchlink(["records", "workouts", "delete", identifier])
        #expect(removed.code == 0, "\(removed)")
        let imported = try watchlink(["records", "workouts", "import", file])
        #expect(imported.output == "0 imported, 8 already present\n", "\(imported)")
        let verified = try watchlink(["records", "workouts", "verify"])
        #expect(verified.output == "ok: 7 workouts, all readable\n", "\(verified)")
        let size = try call("companion", "outbox.show", ["identifier": .string(identifier), "application": "workouts"])
        #expect(try size.text().utf8.count > 3_100 * 20)
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }
}
