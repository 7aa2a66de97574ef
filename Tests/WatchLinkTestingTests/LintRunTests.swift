import Foundation
import TestSupport
import Testing

@testable import WatchLinkTesting

/// Real processes under lint: what they report, and how they end.
@Suite("A run under lint")
struct LintRunTests {
    /// An observation without its stacks.
    private static func text(_ observation: LintObservation) -> String {
        let kind =
            switch observation.kind {
            case .finding(let kind): kind.rawValue
            case .crash: "crash"
            case .hint: "hint"
            }
        return "\(kind) (\(observation.subject ?? "no call")): \(observation.detail ?? "no detail")"
    }

    private static func texts(_ outcome: LintChild.Outcome) -> Set<String> {
        Set(outcome.transcript.observations.map(text))
    }

    private static func answers(_ outcome: LintChild.Outcome) -> Int {
        outcome.transcript.returned.count { $0 == "a reply handler" }
    }

    @Test("Code of an actor's that runs elsewhere is reported with the call and the actor, and the program goes on")
    func isolated() async throws {
        let outcome = try await LintChild.outcome(
            of: "IsolationProgram", feed: ["main", "actor", "main-hop", "near-limit"])
        let texts = Self.texts(outcome)
        #expect(
            texts == [
                "isolatedCode (a reply handler): MainActor",
                "isolatedCode (a reply handler): IsolationProgram.Courier",
                "hint (payload near limit): the payload exceeds nine tenths of the limit: send less, or a file",
            ])
        let answers = Self.answers(outcome)
        #expect(answers == 3)
        let said = outcome.lastLines.filter { $0 == "answered" }
        #expect(said.count == 3, "\(outcome.lastLines)")
        #expect(!outcome.transcript.returned.contains("sessionCompanionAppInstalledDidChange(_:)"))
        #expect(outcome.transcript.isActivated)
        #expect(outcome.transcript.reason == "nothing happens any more")
        #expect(outcome.ending == .exit(0))
    }

    @Test("Of a loop that fails the check again and again, only the first two hundred failures are reported")
    func many() async throws {
        let outcome = try await LintChild.outcome(of: "IsolationProgram", feed: ["main-many"])
        let texts = outcome.transcript.observations.map(Self.text)
        #expect(Set(texts) == ["isolatedCode (a reply handler): MainActor"])
        #expect(texts.count == 200)
        let answers = Self.answers(outcome)
        #expect(answers == 201)
        #expect(outcome.transcript.reason == "nothing happens any more")
    }

    @Test("What the main queue runs on another thread, and what an executor vouches for, is no trouble")
    func vouched() async throws {
        let outcome = try await LintChild.outcome(
            of: "IsolationProgram", ["isolated", "dispatchMain"], feed: ["main-queue", "own-executor"])
        // Only the delegate is.
        let texts = Self.texts(outcome)
        #expect(texts == ["isolatedConformance (no call): IsolationProgram.IsolatedDelegate"])
        let said = outcome.lastLines.filter { ["answered", "vouched"].contains($0) }.sorted()
        #expect(said == ["answered", "answered", "vouched"], "\(outcome.lastLines)")
        #expect(outcome.ending == .exit(0))
    }

    @Test("A signal that ends the program is reported once, with the call, and still ends it")
    func trap() async throws {
        let outcome = try await LintChild.outcome(of: "IsolationProgram", feed: ["trap"])
        let texts = outcome.transcript.observations.map(Self.text)
        #expect(texts == ["crash (a reply handler): SIGFPE"])
        #expect(outcome.transcript.observations.first?.stack?.calls.isEmpty == false)
        #expect(outcome.transcript.fatalCall == "a reply handler")
        #expect(!outcome.transcript.isFinished)
        #expect(outcome.ending == .signal(SIGFPE))
    }

    @Test("Without a counterpart each method of the delegate is called, except those that are to be skipped")
    func called() async throws {
        let skipped = "session(_:didReceiveUserInfo:)"
        let outcome = try await LintChild.outcome(of: "DeviceProgram", as: .host, .called, skipping: [skipped])
        let expected = [
            "sessionReachabilityDidChange(_:)", "session(_:didReceiveMessage:)",
            "session(_:didReceiveMessage:replyHandler:)", "session(_:didReceiveMessageData:)",
            "session(_:didReceiveMessageData:replyHandler:)", "session(_:didReceiveApplicationContext:)",
            "session(_:didReceive:)", "session(_:didFinish:error:)", "session(_:didFinish:error:)",
            "session(_:didFinish:error:)", "session(_:didFinish:error:)", "sessionWatchStateDidChange(_:)",
            "sessionDidBecomeInactive(_:)", "sessionDidDeactivate(_:)",
        ]
        // The program activates its session again when it is told of a switch.
        let others = ["session(_:activationDidCompleteWith:error:)", "an observer's change handler"]
        let returned = outcome.transcript.returned.filter { !others.contains($0) }
        #expect(Array(returned.suffix(expected.count)) == expected)
        #expect(Self.texts(outcome) == [])
        #expect(outcome.transcript.isActivated)
        #expect(outcome.transcript.reason == "nothing happens any more")
        #expect(outcome.ending == .exit(0))
    }

    @Test("A method that the delegate lacks does not count as one that was called")
    func lacking() async throws {
        let outcome = try await LintChild.outcome(of: "PlainProgram", as: .companion, .called)
        let returned = Set(outcome.transcript.returned)
        #expect(
            returned.subtracting(["an observer's change handler"]) == [
                "session(_:activationDidCompleteWith:error:)", "sessionReachabilityDidChange(_:)",
                "sessionCompanionAppInstalledDidChange(_:)",
            ])
        #expect(outcome.ending == .exit(0))
    }

    @Test(
        "A file is passed to the delegate wherever one can be written, and where none can it is said",
        arguments: [("absent", true), ("file/below", false)])
    func file(_ folder: String, _ isPossible: Bool) async throws {
        let scratch = try Scratch()
        _ = try scratch.write("file", "text")
        let pair = try ProcessPair(
            phone: "DeviceProgram", watch: "DeviceProgram",
            environment: [LintRun.variable: "called", "TMPDIR": scratch.path(folder)])
        try pair.watch.begin()
        try await pair.waitUntil("the run is over") {
            pair.watch.lines.contains { $0.contains("\"event\":\"finished\"") }
        }
        let hints = pair.watch.lines.compactMap(LintReport.init(line:)).filter { $0.event == .hint }
        let failures = hints.compactMap(\.detail).filter { $0.hasPrefix("no file could be passed to the delegate: ") }
        #expect(failures.count == (isPossible ? 0 : 1), "\(hints)")
        let files = pair.watch.lines.filter { $0.hasPrefix("got file watchlink-lint.txt 14") }
        #expect(files.count == (isPossible ? 1 : 0))
    }
}
