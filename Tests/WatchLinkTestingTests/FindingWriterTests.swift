import TestSupport
import Testing

@testable import WatchLinkTesting

/// What is said about code, by the calls on its stack. No tool knows lines of this program.
@Suite("The text of findings")
struct FindingWriterTests {
    /// The functions of the program.
    private enum Function: String, CaseIterable {
        case closure = "$s4prog6ScreenC4sendyyFySDySSypGcfU_"
        case function = "$s4prog6ScreenC4sendyyF"
        case assumption = "$sScM14assumeIsolated_4file4linexxyKScMYcXE_s12StaticStringVSutKlFZ"
        case witness = "$s4prog2D5C17WatchConnectivity17WCSessionDelegateAadEPTW"
        case method = "$s4prog2D5C7session_17didReceiveMessageySi_SDySSypGtF"
        case fetch = "$s4prog7FetcherV5fetchSiyYaF"

        var address: UInt64 {
            switch self {
            case .closure: 0x100
            case .function: 0x200
            case .assumption: 0x300
            case .witness: 0x400
            case .method: 0x500
            case .fetch: 0x600
            }
        }
    }

    private let scratch: Scratch
    private let program: String

    init() throws {
        scratch = try Scratch()
        let symbols = Function.allCases.map { SymbolFile.Symbol(name: $0.rawValue, address: $0.address) }
        program = try SymbolFile(symbols: symbols).write(in: scratch)
    }

    private func stack(_ functions: [Function]) -> CallStack {
        CallStack(images: [program], calls: functions.map { CallStack.Call(image: 0, offset: $0.address) })
    }

    private func findings(_ observation: LintObservation) -> [IsolationFinding] {
        let resolver = StackResolver([observation.stack, observation.mainStack].compactMap { $0 })
        return FindingWriter(resolver: resolver, role: .companion, program: program).findings(observation)
    }

    /// Returns the finding about code that belongs to an actor.
    private func isolated(_ subject: String?, _ actor: String?, _ calls: [Function]?) throws -> IsolationFinding {
        let found = findings(
            LintObservation(
                kind: .finding(.isolatedCode), subject: subject, detail: actor, stack: calls.map { stack($0) }))
        #expect(found.count == 1)
        let finding = try #require(found.first)
        #expect(finding.kind == .isolatedCode)
        #expect(finding.place == nil)
        #expect(finding.roles == [.companion])
        return finding
    }

    @Test("A closure of the main actor's is to hop, on the queue of the session's call")
    func closure() throws {
        let finding = try isolated("a reply handler", "MainActor", [.closure, .function])
        #expect(finding.function == "closure #1 in prog.Screen.send()")
        let place = "the session's queue (in the call of a reply handler)"
        #expect(finding.text == "is isolated to the main actor, but runs on \(place): a trap on a device")
        #expect(finding.cure == "Mark the closure @Sendable, and hop inside it: Task { @MainActor in … }.")
    }

    @Test("A function of another actor's is to be nonisolated, outside of the session's calls on another queue")
    func function() throws {
        let finding = try isolated(nil, "prog.Courier", [.function, .closure])
        #expect(finding.function == "prog.Screen.send()")
        #expect(
            finding.text == "is isolated to the actor prog.Courier, but runs on another queue: a trap on a device")
        #expect(finding.cure == "Declare the function nonisolated, and hop inside it: Task { await … }.")
    }

    @Test("Without a stack, it is taken for a closure")
    func unknown() throws {
        let finding = try isolated(nil, nil, nil)
        #expect(finding.function == nil)
        #expect(finding.text == "is isolated to the actor ?, but runs on another queue: a trap on a device")
        #expect(finding.cure == "Mark the closure @Sendable, and hop inside it: Task { await … }.")
    }

    @Test("An assumption is replaced where it is made, whether it or its closure is checked")
    func assumption() throws {
        for calls in [[Function.assumption, .function], [.closure, .assumption, .function]] {
            let finding = try isolated(nil, "MainActor", calls)
            #expect(finding.function == "prog.Screen.send()")
            #expect(finding.text == "assumes to run on the main actor, but runs on another queue: a trap on a device")
            #expect(finding.cure == "Replace assumeIsolated by a hop: Task { @MainActor in … }.")
        }
    }

    @Test("Code that a true assumption calls is told itself")
    func farAssumption() throws {
        let finding = try isolated(nil, "MainActor", [.closure, .fetch, .assumption, .function])
        #expect(finding.function == "closure #1 in prog.Screen.send()")
        #expect(finding.text == "is isolated to the main actor, but runs on another queue: a trap on a device")
    }

    @Test("A delegate's method is told by its type and its name, or by its name alone")
    func method() throws {
        let text = "is isolated to the main actor, but the device calls it on the session's queue: a trap on a device"
        let names = [
            "session(_:didReceiveMessage:)": "prog.D5.session(_:didReceiveMessage:)",
            "session(_:didReceive:)": "session(_:didReceive:)",
        ]
        for (subject, function) in names {
            let finding = try isolated(subject, "MainActor", [.witness])
            #expect(finding.function == function)
            #expect(finding.text == text)
            #expect(finding.cure == "Declare the method nonisolated, and hop inside it: Task { @MainActor in … }.")
        }
    }

    @Test("Of an isolated conformance each method is told, or else the type")
    func conformance() throws {
        for (calls, function) in [
            ([Function.witness], "prog.D5.session(_:didReceiveMessage:)"), ([], "prog.D5"),
        ] {
            let found = findings(
                LintObservation(kind: .finding(.isolatedConformance), detail: "prog.D5", stack: stack(calls)))
            #expect(found.map(\.kind) == [.isolatedConformance])
            #expect(found.map(\.function) == [function])
            let text = try #require(found.first?.text)
            #expect(text.hasPrefix("prog.D5 conforms to WCSessionDelegate on an actor only, but "))
        }
    }

    @Test("A demand for another queue is told with its function and the session's call")
    func queue() throws {
        let found = findings(
            LintObservation(kind: .finding(.wrongQueue), subject: "a reply handler", stack: stack([.closure])))
        let finding = try #require(found.first)
        #expect(finding.kind == .wrongQueue)
        #expect(finding.function == "closure #1 in prog.Screen.send()")
        let text = "demands another queue, but the session calls it on a queue of its own"
        #expect(finding.text == "\(text) (in the call of a reply handler)")
    }

    @Test("A continuation is told by the function that awaits it")
    func continuations() throws {
        let twice = findings(
            LintObservation(kind: .finding(.resumedTwice), detail: "fetch()", stack: stack([.closure])))
        #expect(twice.map(\.kind) == [.resumedTwice])
        #expect(twice.map(\.function) == ["closure #1 in prog.Screen.send()"])
        let text = try #require(twice.first?.text)
        #expect(text == "resumes the continuation of fetch() for a second time, which ends the program")
        let names = ["fetch()": "prog.Fetcher.fetch()", "fetch(of:)": "fetch(of:)"]
        for (detail, function) in names {
            let never = findings(LintObservation(kind: .finding(.neverResumed), detail: detail))
            #expect(never.map(\.kind) == [.neverResumed])
            #expect(never.map(\.function) == [function])
        }
    }

    @Test("A call that does not return is told with what the main thread waits for")
    func blocked() throws {
        let observation = LintObservation(
            kind: .finding(.blocked), subject: "a reply handler", stack: stack([.closure]),
            mainStack: stack([.function]))
        let finding = try #require(findings(observation).first)
        #expect(finding.kind == .blocked)
        #expect(finding.function == "closure #1 in prog.Screen.send()")
        let start = "does not return within 5 s (in the call of a reply handler)"
        let rest = ", while the main thread waits at prog.Screen.send(): nothing else reaches the app"
        #expect(finding.text.hasPrefix(start + rest), "\(finding.text)")
    }

    @Test("A crash and a hint are no findings")
    func none() {
        for kind in [LintObservation.Kind.crash, .hint] {
            let found = findings(LintObservation(kind: kind, subject: "a", detail: "b", stack: stack([.closure])))
            #expect(found == [], "\(kind)")
        }
    }
}
