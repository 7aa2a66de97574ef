import Foundation

@testable import WatchLinkTesting

extension LintChild {
    /// Runs one of the tests' programs under lint.
    static func outcome(
        of program: String, _ arguments: [String] = [], as role: DeviceRole = .companion,
        _ kind: LintRun.Kind = .answered, feed: [String] = [], skipping skipped: [String] = []
    ) async throws -> Outcome {
        let program = try TestPrograms.program(program)
        return try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: a run is waited for.
            Thread.detachNewThread {
                let child = LintChild(program: program, arguments: arguments, role: role, kind: kind, feed: feed)
                continuation.resume(with: Result { try child.run(skipping: skipped) })
            }
        }
    }
}
