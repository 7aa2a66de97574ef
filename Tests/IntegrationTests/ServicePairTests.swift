import Foundation
import Testing
import WatchLinkTesting

@Suite("A pair of services in a test")
struct ServicePairTests {
    private static let quiz = """
        [{"title": "Supper", "takenAt": "2026-11-20T18:30:00Z", "answers": [
          {"question": "Vegetables?", "choice": "Yes", "points": 3}]}]
        """

    private let pair: ServicePair

    init() throws { pair = try ServicePair(host: "watchlink-host", companion: "watchlink-companion") }

    @Test("What was submitted survives the kill of both services")
    func kills() async throws {
        try await pair.start()
        pair.host.kill()
        try await pair.waitUntil("the host is gone") { pair.host.hasEnded }
        let submission = try await pair.run("watchlink", ["submit", "-"], input: Self.quiz)
        #expect(submission.ending == .exit(0), "\(submission)")
        pair.companion.kill()
        try await pair.waitUntil("the companion is gone") { pair.companion.hasEnded }
        try await pair.start()
        try await pair.waitUntil("the quiz is stored") { pair.host.lines.contains { $0.contains("quiz stored") } }
        let list = try await pair.run("watchlink", ["quizzes", "list", "--json"])
        #expect(list.ending == .exit(0), "\(list)")
        #expect(list.text.contains("\"Supper\""), "\(list.text)")
        try await pair.expect(.messageData, from: .watch, .replied)
    }

    @Test("A program's exit code and both outputs are returned")
    func result() async throws {
        let wrong = try await pair.run("watchlink", ["quizzes", "lst"])
        #expect(wrong.ending == .exit(2), "\(wrong)")
        #expect(wrong.output == Data())
        #expect(wrong.errors.contains("lst"), "\(wrong.errors)")
    }

    @Test("A service that cannot start is named, with its last lines")
    func refusedStart() async throws {
        let pair = try ServicePair(
            host: "watchlink-host", arguments: ["--state-directory", "/proc/none"], companion: "watchlink-companion")
        let error = await #expect(throws: DeviceProcess.Failure.self) { try await pair.start() }
        #expect(error?.description.contains("the host ended immediately") == true, "\(String(describing: error))")
    }

    @Test("A program that does not lie beside the tests is missing")
    func missing() async {
        let error = await #expect(throws: MissingProgram.self) { try await pair.run("watchlnk", []) }
        #expect(error?.name == "watchlnk")
    }
}
