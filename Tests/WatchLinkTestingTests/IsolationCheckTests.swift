import Foundation
import TestSupport
import Testing

@testable import WatchLinkTesting

/// Programs of the shell that report as the session does: the check takes every program alike.
@Suite("The runs of a program under lint", .serialized)
struct IsolationCheckTests {
    private let scratch: Scratch
    /// The shell by a name with a blank, which is part of what a program's path may have.
    private let shell: URL

    init() throws {
        scratch = try Scratch()
        shell = URL(filePath: scratch.path("my shell"))
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("my shell"), withDestinationPath: "/bin/sh")
    }

    /// Returns the arguments with which the shell runs a script, which can write reports.
    private static func arguments(_ script: String, _ words: [String] = []) -> [String] {
        let prelude = """
            report() { printf '@watchlink-lint {"event":"%s"}\\n' "$1" >&2; }
            tell() { printf '@watchlink-lint {"event":"%s","subject":"%s"}\\n' "$1" "$2" >&2; }

            """
        return ["-c", prelude + script, "program"] + words
    }

    /// Checks a script on devices.
    private func report(_ script: String, _ roles: [DeviceRole] = DeviceRole.allCases) async throws -> IsolationReport {
        try await IsolationCheck(program: shell, arguments: Self.arguments(script), roles: roles).report()
    }

    /// The lines that the runs of a script have added to a file, sorted.
    private func noted() throws -> [String] {
        let text = try String(contentsOfFile: scratch.path("log"), encoding: .utf8)
        return text.split(separator: "\n").map(String.init).sorted()
    }

    /// Runs a script once.
    private func outcome(
        _ script: String, _ kind: LintRun.Kind, _ role: DeviceRole = .companion, words: [String] = [],
        feed: [String] = [], skipping: [String] = []
    ) async throws -> LintChild.Outcome {
        let child = LintChild(
            program: shell, arguments: Self.arguments(script, words), role: role, kind: kind, feed: feed)
        // A thread of its own: the run waits for processes.
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try child.run(skipping: skipping) }) }
        }
    }

    @Test("A program runs three times on each device; what returned in any of the runs is told")
    func everyRun() async throws {
        let report = try await report(
            """
            echo "$WATCHLINK_ROLE $WATCHLINK_LINT" >> "\(scratch.path("log"))"
            report activated
            tell began "a reply handler"; tell returned "a reply handler"
            tell began "$WATCHLINK_LINT"; tell returned "$WATCHLINK_LINT"
            report finished
            """)
        #expect(report.findings == [])
        #expect(report.notes == [])
        #expect(report.checked == ["a reply handler", "answered", "called", "failing"])
        let runs = try noted()
        let expected = ["companion", "host"].flatMap { role in
            ["answered", "called", "failing"].map { "\(role) \($0)" }
        }
        #expect(runs == expected)
    }

    @Test("After a method that ended the program, the others are called in another run")
    func calledAgain() async throws {
        let report = try await report(
            """
            echo "$WATCHLINK_LINT:$WATCHLINK_LINT_SKIPPED" >> "\(scratch.path("log"))"
            report activated
            for call in "sessionDidDeactivate(_:)" "sessionReachabilityDidChange(_:)" "a reply handler"; do
                case "$WATCHLINK_LINT:$WATCHLINK_LINT_SKIPPED" in
                called:*"$call"*) ;;
                *) tell began "$call"; report trap; exit 1 ;;
                esac
            done
            """, [.host])
        let runs = try noted()
        #expect(
            runs == [
                "answered:", "called:", "called:sessionDidDeactivate(_:)",
                "called:sessionDidDeactivate(_:);sessionReachabilityDidChange(_:)", "failing:",
            ])
        #expect(
            report.checked == ["a reply handler", "sessionDidDeactivate(_:)", "sessionReachabilityDidChange(_:)"])
    }

    @Test("A method that ends the program although it was left out is not left out again")
    func calledInVain() async throws {
        _ = try await report(
            """
            echo "$WATCHLINK_LINT:$WATCHLINK_LINT_SKIPPED" >> "\(scratch.path("log"))"
            report activated; tell began "sessionDidDeactivate(_:)"; report trap
            """, [.host])
        let runs = try noted()
        #expect(runs == ["answered:", "called:", "called:sessionDidDeactivate(_:)", "failing:"])
    }

    @Test("What is no program is not run")
    func noProgram() async throws {
        let notes = try scratch.write("notes", "")
        for path in [notes, "/nonexistent/program"] {
            let failure = try await #require(throws: IsolationCheck.Failure.self) {
                try await IsolationCheck(program: URL(filePath: path)).report()
            }
            #expect(failure.description.hasPrefix("\(path) is not a program; build it, "), "\(failure)")
        }
    }

    @Test("A program has the home of its device, its words and the run's variables", arguments: DeviceRole.allCases)
    func surroundings(_ role: DeviceRole) async throws {
        let script = """
            [ -d "$HOME/Documents" ] && echo "home ${HOME##*/}"
            echo "state $WATCHLINK_DEVICE_STATE"; echo "word $1"; echo "skipped $WATCHLINK_LINT_SKIPPED"
            """
        let outcome = try await outcome(script, .called, role, words: ["word"], skipping: ["a", "b"])
        let name = role == .host ? "phone" : "watch"
        #expect(outcome.lastLines.first == "home \(name)")
        #expect(outcome.lastLines.dropFirst().first?.hasSuffix("/\(name)/state") == true, "\(outcome.lastLines)")
        #expect(outcome.lastLines.dropFirst(2) == ["word word", "skipped a;b"])
        #expect(outcome.ending == .exit(0))
    }

    @Test("The configuration and the hazards of whoever checks are not the program's")
    func ownVariables() throws {
        let output = try InnerTests.run(
            named: "tellsTheVariablesUnderLint", [],
            ["WATCHLINK_CONFIGURATION": "/nonexistent/configuration", "WATCHLINK_HAZARDS": "other"])
        let isFree = output.contains("under lint: none, none\n")
        #expect(isFree, "\(output)")
    }

    @Test("Only in the run that fails does everything fail")
    func faults() async throws {
        let script = #"echo "faults $WATCHLINK_FAULTS""#
        for kind in LintRun.Kind.allCases {
            let outcome = try await outcome(script, kind)
            let failures = ["message", "user-info", "file"].map { "fail \($0) with=transferTimedOut" }
            let faults = kind == .failing ? failures.joined(separator: "; ") : ""
            #expect(outcome.lastLines == ["faults \(faults)"], "\(kind)")
        }
    }

    @Test("There is a counterpart, unless the methods are called in its place")
    func counterpart() async throws {
        // A phone's socket is there when the phone listens; the program waits for it as a watch does.
        let script = """
            count=0
            while [ ! -S "$WATCHLINK_SOCKET" ] && [ $count -lt $1 ]; do count=$((count + 1)); sleep 0.01; done
            [ -S "$WATCHLINK_SOCKET" ] && echo listening || echo alone
            """
        for (kind, attempts, words) in [
            (LintRun.Kind.called, "1", "alone"), (.answered, "1000", "listening"), (.failing, "1000", "listening"),
        ] {
            let outcome = try await outcome(script, kind, words: [attempts])
            #expect(outcome.lastLines == [words], "\(kind)")
        }
    }

    @Test("A program is fed when it is linked, or when its session is activated if there is nobody to be linked with")
    func feed() async throws {
        let script = """
            report activated
            [ "$WATCHLINK_LINT" = called ] || report linked
            read first; read second
            echo "$first, $second"
            """
        for kind in LintRun.Kind.allCases {
            let outcome = try await outcome(script, kind, feed: ["one", "two"])
            #expect(outcome.lastLines == ["one, two"], "\(kind)")
            #expect(outcome.transcript.isActivated, "\(kind)")
        }
    }

    @Test("The last five of the program's own lines are kept")
    func lastLines() async throws {
        let script = """
            for number in 1 2 3 4 5 6 7; do echo "line $number"; done
            report activated
            exit 7
            """
        let outcome = try await outcome(script, .called)
        #expect(outcome.lastLines == ["line 3", "line 4", "line 5", "line 6", "line 7"])
        #expect(outcome.transcript.isActivated)
        #expect(outcome.ending == .exit(7))
    }

    @Test("The counterpart answers every message with the same content")
    func answers() throws {
        let pair = try SimulatedPair()
        let session = pair.phone.session
        let delegate = LintCounterpart()
        var replies: [[String: Int]] = []
        delegate.session(session, didReceiveMessage: ["n": 1]) { replies.append($0 as? [String: Int] ?? [:]) }
        #expect(replies == [["n": 1]])
        var data: [Data] = []
        delegate.session(session, didReceiveMessageData: Data([1, 2])) { data.append($0) }
        #expect(data == [Data([1, 2])])
    }
}

extension InnerSuite {
    @Test func tellsTheVariablesUnderLint() throws {
        let script = #"echo "under lint: ${WATCHLINK_CONFIGURATION-none}, ${WATCHLINK_HAZARDS-none}""#
        let child = LintChild(
            program: URL(filePath: "/bin/sh"), arguments: ["-c", script], role: .companion, kind: .called, feed: [])
        for line in try child.run().lastLines { print(line) }
    }
}
