import Foundation
import Testing

@testable import WatchLinkTesting

/// A program as a real process, as `watchlink lint` runs it.
@Suite("A program under lint")
struct LintChildTests {
    @Test("The hints of its session are reported, and the methods of its delegate that return")
    func hints() async throws {
        let program = try TestPrograms.program("DeviceProgram")
        let outcome = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<LintChild.Outcome, any Error>) in
            // A thread of its own: the run waits for a process.
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        // Nobody is there to answer, and the program has no handler for the error.
                        try LintChild(program: program, arguments: ["data 5"], role: .host, kind: .called, feed: [])
                            .run()
                    })
            }
        }
        let transcript = outcome.transcript
        #expect(transcript.isActivated, "\(outcome.lastLines)")
        let hints = transcript.observations.filter { $0.kind == .hint }.compactMap(\.subject)
        #expect(hints.contains("failure unheard"), "\(hints), \(outcome.lastLines)")
        #expect(transcript.returned.contains("session(_:didReceiveUserInfo:)"), "\(outcome.lastLines)")
    }
}
