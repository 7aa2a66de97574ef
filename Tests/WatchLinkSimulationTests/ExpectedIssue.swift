import Locking
import Testing

/// Expects a test to record one issue, and no other, whose text has all of some words.
struct ExpectedIssue: TestTrait, TestScoping {
    let words: [String]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let issues = Mutex<[String]>([])
        let handler = IssueHandlingTrait.compactMapIssues { issue in
            let text = ([issue.error.map { "\($0)" }] + issue.comments.map(\.rawValue)).compactMap(\.self)
            issues.withLock { $0.append(text.joined(separator: "\n")) }
            return nil
        }
        try await handler.provideScope(for: test, testCase: testCase) {
            do {
                try await function()
            } catch {
                issues.withLock { $0.append("\(error)") }
            }
        }
        let texts = issues.withLock { $0 }
        #expect(texts.count == 1, "\(texts)")
        for word in words { #expect(texts.first?.contains(word) == true, "“\(word)” is not in: \(texts)") }
    }
}

extension Trait where Self == ExpectedIssue {
    static func fails(_ words: String...) -> ExpectedIssue { ExpectedIssue(words: words) }
}
