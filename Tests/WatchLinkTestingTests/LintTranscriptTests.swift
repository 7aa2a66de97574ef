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

    @Test("Of a run that says nothing, nothing is known")
    func nothing() {
        let transcript = Self.transcript(["no session"])
        #expect(!transcript.isActivated)
        #expect(!transcript.isFinished)
        #expect(transcript.reason == nil)
        #expect(transcript.fatalCall == nil)
        #expect(transcript.returned == [])
        #expect(transcript.observations == [])
    }

    /// A report, and what it is taken for.
    private static let kinds: [(event: LintReport.Event, kind: LintObservation.Kind)] = [
        (.isolation, .finding(.isolatedCode)), (.conformance, .finding(.isolatedConformance)),
        (.blocked, .finding(.blocked)), (.hint, .hint),
    ]

    @Test("A report is an observation with all that it tells")
    func observations() throws {
        let other = CallStack(images: ["/other"], calls: [CallStack.Call(image: 0, offset: 9)])
        for (event, kind) in Self.kinds {
            let report = LintReport(event, subject: "a", detail: "b", stack: Self.stack, mainStack: other)
            let transcript = Self.transcript([try report.line])
            let expected = LintObservation(kind: kind, subject: "a", detail: "b", stack: Self.stack, mainStack: other)
            #expect(transcript.observations == [expected])
            #expect(transcript.isFinished == (event == .blocked), "\(event)")
            #expect(transcript.fatalCall == (event == .blocked ? "a" : nil), "\(event)")
        }
    }

    @Test("A complete run has ended for the reason that it gives")
    func finished() throws {
        let transcript = Self.transcript([try Self.line(.finished, nil, "nothing happens any more")])
        #expect(transcript.isFinished)
        #expect(transcript.reason == "nothing happens any more")
        #expect(transcript.observations == [])
    }

    @Test("A trap behind the assumption of another actor is code of an actor's")
    func assumption() throws {
        let transcript = Self.transcript([
            try Self.line(.began, "a"), "Incorrect actor executor assumption; expected same executor as Courier.",
            try Self.line(.trap, nil, "SIGABRT"),
        ])
        let observation = try #require(transcript.observations.first)
        #expect(observation.kind == .finding(.isolatedCode))
        #expect(observation.detail == "an actor")
        #expect(observation.subject == "a")
    }

    @Test("A trap whose stack is unknown or ends in its handler is a crash, told by its signal")
    func unknownPlace() throws {
        let handler = CallStack(images: ["/lib/libc.so.6"], calls: [CallStack.Call(image: 0, offset: 2)])
        for stack in [nil, handler] {
            let transcript = Self.transcript([try LintReport(.trap, detail: "SIGSEGV", stack: stack).line])
            let observation = try #require(transcript.observations.first)
            #expect(observation.kind == .crash)
            #expect(observation.detail == "SIGSEGV")
        }
    }

    @Test("A trap is told without the calls of its handler")
    func handler() throws {
        let transcript = Self.transcript([try Self.line(.trap, nil, "SIGILL")])
        let calls = try #require(transcript.observations.first?.stack?.calls)
        #expect(calls == [CallStack.Call(image: 2, offset: 3)])
    }

    @Test("The words on a leak are read only in the runtime's order; the function may have no name")
    func words() throws {
        let turned = Self.transcript(["f() leaked its continuation SWIFT TASK CONTINUATION MISUSE: f()"])
        #expect(turned.observations == [])
        let nameless = Self.transcript(["SWIFT TASK CONTINUATION MISUSE:  leaked its continuation."])
        #expect(nameless.observations == [LintObservation(kind: .finding(.neverResumed), detail: "")])
    }
}
