import Configuration
import Foundation
import TestSupport
import Testing

/// The check for code that traps on a device: every way to trap is named, with its line and the cure, and no repaired
/// form is.
@Suite("Lint")
struct LintTests {
    private struct Found: Equatable {
        let kind: String
        /// The text of the line that it names.
        let line: String
        let cure: String
    }

    private static func lint(_ program: String, _ words: [String]) throws -> CommandResult {
        try TestBench.run(
            "watchlink",
            ["lint", TestBench.program(program).path(percentEncoded: false), "--role", "watch", "--json", "--"] + words)
    }

    private static func findings(_ result: CommandResult) throws -> [Found] {
        let report = try JSONDecoder().decode(JSONValue.self, from: Data(result.output.utf8))
        return try (report["findings"]?.array ?? []).map { finding in
            let place = try #require(finding["place"]?.string, "\(finding)")
            let colon = try #require(place.lastIndex(of: ":"))
            let lines = try String(contentsOfFile: String(place[..<colon]), encoding: .utf8)
                .components(separatedBy: "\n")
            let number = try #require(Int(place[place.index(after: colon)...]))
            return Found(
                kind: finding["kind"]?.string ?? "", line: lines[number - 1].trimmingCharacters(in: .whitespaces),
                cure: finding["cure"]?.string ?? "")
        }
    }

    /// The program and its words, and each finding: its kind, the line, and a part of the cure.
    private static let flawed: [(program: String, words: [String], found: [(String, String, String)])] = [
        (
            "TrapProgram", ["reply", "error", "data", "actor", "observer", "progress", "notification", "never"],
            [
                ("isolatedCode", "WCSession.default.sendMessage([\"n\": 6]) { _ in", "Task { await … }"),
                ("neverResumed", "func fetchForEver() async -> Int {", "on every path"),
                ("isolatedCode", "WCSession.default.sendMessage([\"n\": 1]) { _ in", "Task { @MainActor in … }"),
                (
                    "isolatedCode", "WCSession.default.sendMessage([\"n\": 2], replyHandler: nil) { _ in",
                    "@Sendable"
                ),
                ("isolatedCode", "WCSession.default.sendMessageData(Data([1])) { _ in", "@Sendable"),
                ("isolatedCode", "WCSession.default.sendMessage([\"n\": 3]) { [weak self] _ in", "@Sendable"),
                ("isolatedCode", "transfer.progress.observe(\\.fractionCompleted) { _, _ in", "@Sendable"),
                ("isolatedCode", "MainActor.assumeIsolated { self.answers += 1 }", "Replace assumeIsolated"),
            ]
        ),
        (
            "TrapProgram", ["twice"],
            [
                ("resumedTwice", "continuation.resume(returning: 1)", "exactly once"),
                ("resumedTwice", "continuation.resume(returning: 0)", "exactly once"),
            ]
        ),
        (
            "TrapProgram", ["preconcurrency"],
            [
                (
                    "isolatedCode", "func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {",
                    "nonisolated"
                ), ("isolatedCode", "func session(", "nonisolated"),
            ]
        ),
        (
            "TrapProgram", ["isolated"],
            [
                (
                    "isolatedConformance",
                    "func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {", "nonisolated"
                ), ("isolatedConformance", "func session(", "nonisolated"),
            ]
        ),
        (
            "MainActorProgram", [],
            [
                (
                    "isolatedConformance",
                    "func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {", "nonisolated"
                ), ("isolatedConformance", "func session(", "nonisolated"),
            ]
        ),
        (
            "TrapProgram", ["assume"],
            [("isolatedCode", "MainActor.assumeIsolated { received += 1 }", "Replace assumeIsolated")]
        ),
        (
            "TrapProgram", ["queue"],
            [("wrongQueue", "dispatchPrecondition(condition: .onQueue(.main))", "Demand no queue")]
        ),
        (
            "TrapProgram", ["deadlock"],
            [("blocked", "DispatchQueue.main.sync { isDone.signal() }", "async instead of sync")]
        ),
    ]

    private static let repaired: [(program: String, words: [String])] = [
        (
            "TrapProgram",
            [
                "reply", "error", "data", "actor", "observer", "progress", "notification", "never", "twice", "deadlock",
            ]
        ), ("TrapProgram", ["preconcurrency"]), ("MainActorProgram", []),
    ]

    @Test("Every way to trap is named with its line and the cure, and no repaired form is")
    func shapes() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (program, words, expected) in Self.flawed {
                group.addTask {
                    let result = try Self.lint(program, words)
                    #expect(result.code == 3, "\(words): \(result)")
                    let found = try Self.findings(result)
                    #expect(found.count == expected.count, "\(words): \(result)")
                    for (kind, line, cure) in expected {
                        let isNamed = found.contains { $0.kind == kind && $0.line == line && $0.cure.contains(cure) }
                        #expect(isNamed, "\(kind) at “\(line)”: \(result)")
                    }
                }
            }
            for (program, words) in Self.repaired {
                group.addTask {
                    let result = try Self.lint(program, ["repaired"] + words)
                    #expect(result.code == 0, "\(words): \(result)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A program that never activates its session cannot be checked, and what it says is shown")
    func silent() throws {
        let result = try TestBench.run("watchlink", ["lint", "/bin/echo", "--role", "phone", "--", "no session"])
        #expect(result.code == 1, "\(result)")
        #expect(result.errors.contains("did not activate its session (it ended with exit code 0)"), "\(result)")
        #expect(result.errors.contains("no session"), "\(result)")
    }

    @Test(
        "A wrong command line is refused",
        arguments: [["lint"], ["lint", "/bin/true", "--role", "tablet"], ["lint", "/bin/true", "--feed", ""]])
    func wrongWords(_ words: [String]) throws {
        let result = try TestBench.run("watchlink", words)
        #expect(result.code == 2, "\(result)")
    }
}
