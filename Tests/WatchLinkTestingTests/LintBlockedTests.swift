import Foundation
import Testing

@testable import WatchLinkTesting

/// A suite of its own: a call counts as blocked after five seconds.
@Suite("A blocked run under lint")
struct LintBlockedTests {
    @Test("A call that does not return is reported once, with its calls and those of the main thread, and ends the run")
    func blocked() async throws {
        let outcome = try await LintChild.outcome(of: "IsolationProgram", feed: ["block"])
        let observations = outcome.transcript.observations
        #expect(observations.count == 1)
        let found = try #require(observations.first)
        #expect(found.kind == .finding(.blocked))
        #expect(found.subject == "a reply handler")
        let (own, main) = (try #require(found.stack), try #require(found.mainStack))
        for stack in [own, main] {
            let files = Set(stack.calls.map { URL(filePath: stack.images[$0.image]).lastPathComponent })
            #expect(files.contains("IsolationProgram"))
        }
        #expect(own != main)
        #expect(outcome.transcript.fatalCall == "a reply handler")
        #expect(outcome.transcript.isFinished)
        #expect(outcome.ending == .exit(0))
    }
}
