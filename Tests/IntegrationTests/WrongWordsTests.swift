import Configuration
import ControlSocket
import Foundation
import Processes
import ServiceRuntime
import TestSupport
import Testing

/// Every invalid argument is refused before any effect, wherever it is given.
@Suite("Invalid arguments")
struct WrongWordsTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    /// Command lines, and a part of the expected refusal.
    private static let slips: [(words: String, part: String)] = [
        ("faults disk full afer=20", "“afer=20” is not an option; allowed: after=; did you mean “after”?"),
        ("faults disk full after=x", "after: “x” must be a whole number"),
        ("faults foo", "faults: “foo” must be one of host, companion, drop"),
        ("faults hots drop reply", "did you mean “host”?"), ("faults activation failures=some", "failures: “some”"),
        ("faults reachability nevr", "did you mean “never”?"), ("faults clear all", "“all” is unexpected here"),
        ("device host frobnicate", "device: “frobnicate” must be one of foreground"),
        ("device hst", "did you mean “host”?"), ("device companion wrist-dwn", "did you mean “wrist-down”?"),
        ("link host condition wifii", "did you mean “wifi”?"), ("link host conditon wifi", "did you mean “condition”?"),
        ("link condition", "a word is missing"), ("link condition wifi --device zzz", "--device: “zzz” must be a UUID"),
        ("log-level host link=debg", "did you mean “debug”?"), ("log-level hst", "did you mean “host”?"),
        ("log-level lnk=debug", "did you mean “link”?"),
        ("quizzes show zzz", "quizzes show: “zzz” must be a UUID"), ("quizzes delete 1", "must be a UUID"),
        ("quizzes list --format csv", "quizzes export --format csv"), ("quizzes lst", "did you mean “list”?"),
        ("quizzes", "a word is missing"),
        ("watches switch zzz", "must be a UUID"), ("watches swich", "did you mean “switch”?"),
        ("watches pair", "a word is missing"), ("ledger hst", "did you mean “host”?"),
        ("ledger --message zzz", "--message: “zzz” must be a UUID"), ("metrics hst", "did you mean “host”?"),
        ("man watchlnk", "did you mean “watchlink”?"), ("status now", "takes no arguments"),
        ("scenario play x.json5", "run"), ("scenario run x.json5 --seed x", "--seed x: it must be a number from 0 to"),
        ("timeline --since tomorow", "--since tomorow: it must be a time like"),
        ("new", "new needs one name"), ("new steps", "begin with a capital"), ("adopt", "adopt needs the folder"),
        ("adopt a", "adopt needs --into PACKAGE"),
        ("adopt --phone a --into c", "adopt needs the folder"),
        ("adopt a --into 1c", "“1c” is not a name for a package"),
        ("record", "record needs --into DIR"), ("record hst --into x", "did you mean “host”?"),
        ("record --into x --for soon", "--for soon: it must be a span like 10s"),
        ("record --into x --secrets y", "--secrets belongs to “record check”"),
        ("record check", "record check needs a cassette"),
        ("record check x --into y", "--into belongs to a recording"),
        ("demo --log-level loud", "“loud” must be one of"),
    ]

    @Test("An invalid argument ends with 2, and shows the given, the allowed and the nearest value", arguments: slips)
    func slip(_ words: String, _ part: String) throws {
        let result = try bench.watchlink(words.split(separator: " ").map(String.init))
        #expect(result.code == ExitCode.usage.rawValue, "\(words): \(result)")
        #expect(result.errors.contains(part), "\(words): \(result.errors)")
        #expect(!result.errors.contains("“words”"))
        #expect(!result.errors.contains("“action”"))
    }

    @Test("Every help that a refusal or a configuration refers to exists")
    func pointers() throws {
        var texts = try Self.slips.map { try bench.watchlink($0.words.split(separator: " ").map(String.init)).errors }
        let configuration = ProjectFiles.root.appending(path: "Config")
        for name in ["host.json5", "companion.json5"] {
            texts.append(try String(contentsOf: configuration.appending(path: name), encoding: .utf8))
        }
        let pointers = Set(texts.flatMap { $0.matches(of: /“watchlink (help [a-z-]+|--help)”/).map { String($0.1) } })
        #expect(pointers.contains("help faults"))
        #expect(pointers.contains("help link"))
        for pointer in pointers {
            let shown = try bench.watchlink(pointer.split(separator: " ").map(String.init))
            #expect(shown.code == 0, "\(pointer): \(shown)")
            #expect(shown.output.contains("watchlink"), "\(pointer): \(shown)")
        }
        // Topics for which the help of faults and links is read.
        let helpOfFaults = try bench.watchlink(["help", "faults"]).output
        #expect(helpOfFaults.contains("read-only"))
        let helpOfLinks = try bench.watchlink(["help", "link"]).output
        #expect(helpOfLinks.contains("accept-delay"))
    }

    @Test("A service refuses invalid values as invalid parameters, and nothing is changed")
    func requests() throws {
        let host = try bench.start("host")
        let client = try ControlClient(path: bench.state().hostControlSocket)
        func refusal(_ method: String, _ words: JSONValue) -> ControlError? {
            do throws(ControlClient.Failure) {
                _ = try client.call(method, ["words": words])
                return nil
            } catch {
                guard case .refused(let refusal) = error else { return nil }
                return refusal
            }
        }
        let before = try client.call("faults.list")
        for (method, words, part) in [
            ("faults.apply", ["disk", "full", "afer=20"], "did you mean “after”?"),
            ("faults.apply", ["drop"], "a word is missing"),
            ("device.apply", ["asleep"], "“asleep” must be one of foreground"),
            ("link.condition", ["wifii"], "did you mean “wifi”?"),
            ("log.set", ["debug", "lnk=debug"], "did you mean “link”?"),
        ] {
            let error = refusal(method, .array(words.map { .string($0) }))
            #expect(error?.code == ControlError.invalidParams, "\(method) \(words)")
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        }
        #expect(refusal("faults.apply", 5)?.code == ControlError.invalidParams)
        #expect(refusal("faults.apply", .array([1]))?.code == ControlError.invalidParams)
        let after = try client.call("faults.list")
        #expect(after == before)
        let levels = try client.call("log.levels")
        #expect(levels["session"]?.string == "info", "\(levels)")
        let link = try client.call("link.status")
        #expect(link["condition"]?.string == "perfect", "\(link)")
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test(
        "A scenario refuses them with line and key",
        arguments: [
            ("do: 'device', action: 'asleep'", "steps[0].action: device: “asleep” must be one of foreground"),
            ("do: 'disk', fault: 'ful'", "steps[0].fault: disk fault: “ful” must be one of none, full"),
            ("do: 'disk', fault: 'full', after: 9000000", "steps[0].after: after: “9000000” must be"),
            ("do: 'reachability', idea: 'never', flap: '2'", "steps[0].flap: flap: “2” must be a duration"),
            ("do: 'activation', delay: 'long'", "steps[0].delay: delay: “long” must be a duration"),
            ("do: 'fault', rule: 'disk full afer=2'", "steps[0].rule: disk full: “afer=2” is not an option"),
            ("do: 'condition', to: 'wifii'", "did you mean “wifi”?"), ("do: 'fualt'", "did you mean “fault”?"),
        ])
    func scenarios(_ step: String, _ part: String) throws {
        let file = try bench.write("wrong.json5", "{ name: 'x',\n steps: [\n { \(step) } ] }")
        let result = try bench.watchlink(["scenario", "check", file])
        #expect(result.code == ExitCode.notConfigured.rawValue)
        #expect(result.errors.contains("wrong.json5"), "\(result.errors)")
        #expect(result.errors.contains(part), "\(result.errors)")
    }

    @Test("So does a configuration, which accepts the same values as the command line")
    func configurations() throws {
        func check(_ condition: String) throws -> CommandResult {
            let file = try bench.write("c.json5", "{\n link: { condition: \(condition) } }")
            return try TestBench.run("watchlink-host", ["--config", file, "--check"])
        }
        for condition in ["'bluetooth latency=80ms'", "{ preset: 'bluetooth', latency: '80ms' }"] {
            let result = try check(condition)
            #expect(result.code == 0, "\(condition): \(result)")
        }
        let wrong = try check("'wifii'")
        #expect(wrong.code == ExitCode.notConfigured.rawValue)
        #expect(wrong.errors.contains("c.json5:2: link.condition: link condition: “wifii”"), "\(wrong)")
        let slip = try check("{ latncy: '8ms' }")
        #expect(slip.errors.contains("did you mean “latency”?"))
    }
}
