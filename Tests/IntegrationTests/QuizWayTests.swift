import Configuration
import ControlSocket
import Files
import Foundation
import LinkProtocol
import Processes
import RecordStorage
import ServiceRuntime
import TestSupport
import Testing

@testable import QuizSync

/// The path of a quiz from the command line to the host's database, between real services in bad conditions.
@Suite("The path of a quiz")
struct QuizWayTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    private static let impatient = "{ outbox: { firstRetry: 0.05, longestRetry: 0.05 } }"

    private func quiz(_ title: String, takenAt: Date) -> String {
        """
        {"title": "\(title)", "takenAt": "\(QuizDocument.text(takenAt))", "answers": [
          {"question": "Vegetables today?", "choice": "3 to 4 servings", "points": 3}]}
        """
    }

    @Test(
        "A host whose clock is far behind stores accepted quizzes, and logs that the clocks differ",
        arguments: [-2, -400])
    func hostBehind(_ days: Int) throws {
        let clock = try ShiftedClock(bench)
        let host = try bench.start("host", environment: clock.environment(days: days))
        #expect(
            !host.lines[0].hasPrefix(
                "\(Calendar.current.component(.year, from: Date()))-\(Date().formatted(.iso8601.month().day()))"))
        let companion = try bench.start("companion")
        let file = try bench.write("now.json", quiz("now", takenAt: Date()))
        let result = try bench.watchlink(["submit", file, "--wait"])
        #expect(result.code == 0, "\(result)")
        host.expectLines(containing: "quiz ahead of clock")
        let list = try bench.watchlink(["quizzes", "list", "--json"]).output
        let quizzes = try JSONDecoder().decode([JSONValue].self, from: Data(list.utf8))
        #expect(quizzes.map { $0["isAheadOfClock"]?.boolean } == [true], "\(list)")
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test("A companion whose clock is far behind accepts quizzes from its future, and logs it")
    func companionBehind() throws {
        let clock = try ShiftedClock(bench)
        let host = try bench.start("host")
        let companion = try bench.start("companion", environment: clock.environment(days: -400))
        let result = try bench.watchlink(["submit", try bench.write("now.json", quiz("now", takenAt: Date()))])
        #expect(result.code == 0, "\(result)")
        #expect(result.output.contains("accepted: takenAt is more than a day ahead of this device's clock"))
        companion.expectLines(containing: "quiz replied")
        let titles = try bench.titles()
        #expect(titles == ["now"])
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test("A quiz in flight when the watch's app ended is resent by the next one")
    func endedApp() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion", config: Self.impatient)
        companion.expectLines(containing: "reachable=true")
        try bench.expectCode(0, of: ["faults", "host", "hold", "reply"])
        let file = try bench.quizzes(1)
        try bench.expectCode(0, of: ["submit", file])
        host.expectLines(containing: "quiz stored")
        try bench.expectCode(0, of: ["device", "companion", "terminated"])
        companion.expectLines(containing: "the app ended before the reply arrived")
        try bench.expectCode(0, of: ["faults", "host", "clear"])
        try bench.expectCode(0, of: ["device", "companion", "foreground"])
        // The same file is the same quiz: it is awaited, and nothing is added.
        let waiting = try bench.watchlink(["submit", file, "--wait"])
        #expect(waiting.code == 0, "\(waiting)")
        let titles = try bench.titles()
        #expect(titles.count == 1)
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test("A reply about another quiz or other content does not count")
    func lyingHost() throws {
        try PrivateDirectory.create(bench.state().path)
        let liar = LyingHost(
            bench.state().linkSocket, state: bench.path + "/liar",
            answers: [
                { _, archive in QuizAcknowledgement(UUID(), .stored, digest: ContentDigest.of(archive)) },
                { _, _ in QuizAcknowledgement(UUID(), .repeated) },
                { quiz, _ in QuizAcknowledgement(quiz.identifier, .stored, digest: ContentDigest.of(Data("other".utf8)))
                },
                { _, _ in QuizAcknowledgement(UUID(), .conflict) },
                { _, _ in QuizAcknowledgement(nil, .stored) },
                { quiz, archive in QuizAcknowledgement(quiz.identifier, .stored, digest: ContentDigest.of(archive)) },
                // As hosts reply that do not know digests.
                { quiz, _ in QuizAcknowledgement(quiz.identifier, .stored) },
            ])
        let companion = try bench.start("companion", config: Self.impatient)
        try bench.expectCode(0, of: ["submit", try bench.quizzes(1), "--wait"])
        #expect(liar.arrived.all.count == 6)
        #expect(companion.lines.count { $0.contains("acknowledgement mistaken") } == 5)
        try bench.expectCode(0, of: ["submit", try bench.quizzes(2, file: "two.json"), "--wait"])
        #expect(companion.lines.count { $0.contains("acknowledgement mistaken") } == 5)
        _ = companion.stop(within: TestBench.limit)
        liar.stop()
    }

    @Test(
        "Quizzes are stored in order while the host's disk fails and recovers, the link goes down, and the host is killed"
    )
    func order() throws {
        var host = try bench.start("host", level: "notice")
        let companion = try bench.start(
            "companion",
            config: "{ outbox: { firstRetry: 0.02, longestRetry: 0.02 }, link: { longestReconnect: 0.05 } }",
            level: "notice")
        let client = try ControlClient(path: bench.state().companionControlSocket, timeout: .seconds(60))
        var last = ""
        for round in 0..<40 {
            let quizzes = try (0..<50).map { number in
                try JSONDecoder().decode(
                    JSONValue.self, from: Data(quiz("\(round * 50 + number)", takenAt: Date()).utf8))
            }
            let results = try client.call("submit", ["quizzes": .array(quizzes)])
            last = try #require(results.array?.last?["identifier"]?.string)
            switch round % 5 {
            case 0, 1:
                // Some transactions succeed, the next one fails, and those in flight arrive after that.
                try bench.expectCode(0, of: ["faults", "disk", "full", "after=\(round % 7)"])
                try bench.expectCode(0, of: ["faults", "disk", "none"])
            case 2:
                try bench.expectCode(0, of: ["device", "companion", "link-down"])
                try bench.expectCode(0, of: ["device", "companion", "link-up"])
            case 3:
                host.kill()
                host = try bench.start("host", level: "notice")
            default: break
            }
        }
        let ended = try client.call("wait", ["identifier": .string(last)])
        #expect(ended["status"]?.string == "replied", "\(ended)")
        let titles = try bench.titles()
        #expect(titles == (0..<2_000).map(String.init))
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }
}
