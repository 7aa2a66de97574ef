import Foundation
import Processes
import ServiceRuntime
import Testing

@Suite("Delivery between the real services")
struct DeliveryTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    @Test("A quiz arrives and is acknowledged")
    func arrives() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        let result = try bench.watchlink(["submit", try bench.quizzes(1), "--wait"])
        #expect(result.code == 0, "\(result)")
        #expect(result.output.hasSuffix(" replied\n"))
        let identifier = String(result.output.prefix(36))
        let count = try bench.watchlink(["quizzes", "count"]).output
        #expect(count == "1\n")
        host.expectLines(containing: "quiz stored package=\(identifier)")
        companion.expectLines(containing: "quiz replied package=\(identifier)")
        #expect(companion.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)
        #expect(host.lines.contains { $0.contains("host: stopped") }, "\(host.lines)")
        #expect(!host.lines.contains { $0.contains("Vegetables") || $0.contains("Quiz 0") }, "\(host.lines)")
    }

    @Test("500 quizzes arrive in order, once each")
    func manyInOrder() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        let result = try bench.watchlink(["submit", try bench.quizzes(500), "--wait"])
        #expect(result.code == 0)
        let titles = try bench.titles()
        #expect(titles == (0..<500).map { "Quiz \($0)" })
        _ = (host.stop(within: TestBench.limit), companion.stop(within: TestBench.limit))
    }

    @Test("Quizzes submitted while the host is down arrive when it is back")
    func hostLater() throws {
        let companion = try bench.start("companion")
        let submitted = try bench.watchlink(["submit", try bench.quizzes(3)])
        #expect(submitted.code == 0)
        #expect(submitted.output.components(separatedBy: " accepted\n").count == 4)
        let host = try bench.start("host")
        companion.expectLines(3, containing: "quiz replied")
        let titles = try bench.titles()
        #expect(titles == ["Quiz 0", "Quiz 1", "Quiz 2"])
        _ = (host.stop(within: TestBench.limit), companion.stop(within: TestBench.limit))
    }

    @Test("A companion killed right after “accepted” delivers after its restart")
    func companionKilled() throws {
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(20)])
        companion.kill()
        let host = try bench.start("host")
        let again = try bench.start("companion")
        again.expectLines(20, containing: "quiz replied")
        let titles = try bench.titles()
        #expect(titles == (0..<20).map { "Quiz \($0)" })
        _ = (host.stop(within: TestBench.limit), again.stop(within: TestBench.limit))
    }

    @Test("A host killed while quizzes arrive has all of them once after its restart", arguments: [1, 40, 150])
    func hostKilled(after count: Int) throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(300)])
        host.expectLines(count, containing: "quiz stored")
        host.kill()
        let again = try bench.start("host")
        companion.expectLines(300, containing: "quiz replied")
        let titles = try bench.titles().sorted()
        #expect(titles == (0..<300).map { "Quiz \($0)" }.sorted())
        _ = (again.stop(within: TestBench.limit), companion.stop(within: TestBench.limit))
    }

    @Test("Both services are killed repeatedly while quizzes arrive: none is lost or duplicated")
    func bothKilled() throws {
        var host = try bench.start("host")
        var companion = try bench.start("companion")
        for round in 0..<4 {
            try bench.expectCode(0, of: ["submit", try bench.quizzes(50)])
            _ = host.waitForLines(1 + round, containing: "quiz stored", within: .seconds(2))
            companion.kill()
            host.kill()
            host = try bench.start("host")
            companion = try bench.start("companion")
        }
        try bench.expectCode(0, of: ["submit", try bench.quizzes(1, file: "last.json"), "--wait"])
        let count = try bench.watchlink(["quizzes", "count"]).output
        #expect(count == "201\n")
        _ = (host.stop(within: TestBench.limit), companion.stop(within: TestBench.limit))
    }

    @Test("A quiz refused by the host ends as failed, is shown, and does not block later ones")
    func refused() throws {
        let host = try bench.start("host")
        let device = "{ device: { identifier: '\(UUID())' }, link: { socket: '\(bench.state().linkSocket)' } }"
        let identifier = UUID().uuidString
        func quiz(_ title: String, _ id: String) throws -> String {
            try bench.write(
                "\(title).json",
                """
                {"identifier": "\(id)", "title": "\(title)", "takenAt": "2026-11-20T18:30:00Z",
                 "answers": [{"question": "q", "choice": "c", "points": 4}]}
                """)
        }
        // The same device loses its outbox, and reuses an identifier for another quiz.
        let before = bench.state("before")
        let companion = try bench.start("companion", state: before, config: device)
        try bench.expectCode(0, of: ["submit", try quiz("first", identifier), "--wait"], state: before)
        #expect(companion.stop(within: TestBench.limit) == 0)
        let after = bench.state("after")
        let again = try bench.start("companion", state: after, config: device)
        let files = [try quiz("second", identifier), try quiz("third", UUID().uuidString)]
        let result = try bench.watchlink(["submit"] + files + ["--wait"], state: after)
        #expect(result.code == 1)
        let lines = result.output.split(separator: "\n")
        let reason = "failed: a quiz with this identifier but different content is already stored"
        #expect(lines.contains { $0.contains(reason) }, "\(lines)")
        #expect(lines.last?.hasSuffix(" replied") == true, "\(lines)")
        let status = try bench.watchlink(
            ["status", "--json", "--host-socket", bench.state().hostControlSocket], state: after)
        #expect(status.output.contains(identifier))
        let titles = try bench.titles()
        #expect(titles == ["first", "third"])
        _ = (host.stop(within: TestBench.limit), again.stop(within: TestBench.limit))
    }

    @Test("Two companions are served at the same time, and may use the same identifier unknowingly")
    func twoCompanions() throws {
        let host = try bench.start("host")
        let config = "{ link: { socket: '\(bench.state().linkSocket)' } }"
        let states = [bench.state("one"), bench.state("two")]
        let companions = try states.map { try bench.start("companion", state: $0, config: config) }
        host.expectLines(2, containing: "peer connected")
        for state in states {
            let quizzes = try bench.quizzes(100, file: "\(UUID()).json")
            try bench.expectCode(0, of: ["submit", quizzes], state: state)
        }
        for companion in companions {
            companion.expectLines(100, containing: "quiz replied")
        }
        let count = try bench.watchlink(["quizzes", "count"]).output
        #expect(count == "200\n")
        for companion in companions { #expect(companion.stop(within: TestBench.limit) == 0) }
        _ = host.stop(within: TestBench.limit)
    }

    @Test("A new connection of the same device replaces the old one; both sides log it")
    func ghost() throws {
        let host = try bench.start("host")
        let config = """
            { device: { identifier: '\(UUID())' }, link: { socket: '\(bench.state().linkSocket)', firstReconnect: 60, longestReconnect: 60 } }
            """
        let old = try bench.start("companion", state: bench.state("old"), config: config)
        host.expectLines(containing: "peer connected")
        let new = try bench.start("companion", state: bench.state("new"), config: config)
        host.expectLines(containing: "peer replaced")
        old.expectLines(containing: "replaced by a new connection")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(1), "--wait"], state: bench.state("new"))
        for process in [host, old, new] { _ = process.stop(within: TestBench.limit) }
    }
}
