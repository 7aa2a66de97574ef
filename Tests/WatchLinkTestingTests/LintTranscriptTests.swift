import Testing

@testable import WatchLinkTesting

/// The reading of what a program under lint and its runtime write.
@Suite("Transcript of a run under lint")
struct LintTranscriptTests {
    private static let stack = CallStack(
        images: ["/app", "/lib/libc.so.6", "/lib/libdispatch.so"],
        calls: [
            CallStack.Call(image: 0, offset: 1), CallStack.Call(image: 1, offset: 2),
            CallStack.Call(image: 2, offset: 3),
        ])

    private static func line(
        _ event: LintReport.Event, _ subject: String? = nil, _ detail: String? = nil
    ) throws
        -> String
    {
        try LintReport(event, subject: subject, detail: detail, stack: event == .trap ? stack : nil).line
    }

    private static func transcript(_ lines: [String]) -> LintTranscript {
        LintTranscript(lines: lines.map { $0.replacing("\n", with: "") })
    }

    @Test("A call that returns is noted, unless the delegate lacks the method")
    func returned() throws {
        let transcript = Self.transcript([
            try Self.line(.began, "a"), try Self.line(.returned, "a"), try Self.line(.began, "b"),
            try Self.line(.returned, "b", "not implemented"),
        ])
        #expect(transcript.returned == ["a"])
        #expect(transcript.fatalCall == nil)
    }

    @Test("A report behind an unfinished line of the program's is read")
    func unfinishedLine() throws {
        let transcript = Self.transcript(["loading… " + (try Self.line(.activated))])
        #expect(transcript.isActivated)
    }

    @Test("A leaked continuation is the function's that awaits it")
    func leak() throws {
        let transcript = Self.transcript([
            "SWIFT TASK CONTINUATION MISUSE: fetch(of:) leaked its continuation without resuming it."
        ])
        let observation = try #require(transcript.observations.first)
        #expect(observation.kind == .finding(.neverResumed))
        #expect(observation.detail == "fetch(of:)")
    }

    @Test("A trap behind a second resumption is that, in the call that ended the program")
    func twice() throws {
        let transcript = Self.transcript([
            try Self.line(.began, "a reply handler"),
            "Fatal error: SWIFT TASK CONTINUATION MISUSE: fetch() tried to resume its continuation more than once",
            try Self.line(.trap, nil, "SIGILL"),
        ])
        let observation = try #require(transcript.observations.first)
        #expect(observation.kind == .finding(.resumedTwice))
        #expect(observation.detail == "fetch()")
        #expect(transcript.fatalCall == "a reply handler")
    }

    @Test("A trap without words in the dispatch library is a demand for another queue")
    func queue() throws {
        let transcript = Self.transcript([try Self.line(.began, "a"), try Self.line(.trap, nil, "SIGILL")])
        #expect(transcript.observations.first?.kind == .finding(.wrongQueue))
    }

    @Test("A trap for another reason is no finding")
    func crash() throws {
        let transcript = Self.transcript([
            try Self.line(.began, "a"), "main.swift:3: Fatal error: Index out of range",
            try Self.line(.trap, nil, "SIGILL"),
        ])
        let observation = try #require(transcript.observations.first)
        #expect(observation.kind == .crash)
        #expect(observation.detail == "main.swift:3: Fatal error: Index out of range")
    }
}
