import Testing
import os

@Suite("Signposts")
struct SignpostTests {
    private let lines = CapturedLines()
    private var log: OSLog { lines.log(["WATCHLINK_LOG_LEVEL": "debug"], subsystem: "s") }

    @Test("An interval is recorded as two lines, the second one with its length")
    func interval() throws {
        let signposter = OSSignposter(logHandle: log)
        let identifier = signposter.makeSignpostID()
        let state = signposter.beginInterval("Sync", id: identifier, "\(3) items")
        signposter.endInterval("Sync", state)
        #expect(lines.texts.first == "debug     app: begin Sync: 3 items subsystem=s signpost=\(identifier.rawValue)")
        let end = try #require(lines.texts.last)
        let form = /debug     app: end Sync subsystem=s signpost=\d+ duration=\d+\.\d{6}/
        #expect(try form.wholeMatch(in: end) != nil, "\(end)")
        signposter.endInterval("Sync", state)
        #expect(lines.texts.last?.contains("it has ended before") == true)
    }

    @Test("A closure's interval ends also when it throws")
    func closure() {
        struct Trouble: Error {}
        let signposter = OSSignposter(logHandle: log)
        let sum = signposter.withIntervalSignpost("Add") { 1 + 1 }
        #expect(sum == 2)
        #expect(throws: Trouble.self) { try signposter.withIntervalSignpost("Throw") { throw Trouble() } }
        let words = lines.texts.map { $0.split(separator: " ").dropFirst(2).prefix(2).joined(separator: " ") }
        #expect(words == ["begin Add", "end Add", "begin Throw", "end Throw"])
    }

    @Test("The old functions record events and intervals")
    func functions() {
        let log = log
        os_signpost(.event, log: log, name: "Ping")
        os_signpost(.begin, log: log, name: "Send", signpostID: OSSignpostID(7), "%d bytes", 5)
        os_signpost(.end, log: log, name: "Send", signpostID: OSSignpostID(7))
        #expect(
            lines.texts == [
                "debug     app: event Ping subsystem=s signpost=exclusive",
                "debug     app: begin Send: 5 bytes subsystem=s signpost=7",
                "debug     app: end Send subsystem=s signpost=7",
            ])
    }

    @Test("Signposts are off unless debug lines are asked for")
    func off() {
        let signposter = OSSignposter(logHandle: lines.log())
        signposter.emitEvent("Ping")
        #expect(!signposter.isEnabled)
        #expect(lines.all == [])
        #expect(!OSSignposter.disabled.isEnabled)
    }

    @Test("Identifiers of objects are the same for the same object")
    func identifiers() {
        final class Thing {}
        let (one, two) = (Thing(), Thing())
        let signposter = OSSignposter(logHandle: log)
        #expect(signposter.makeSignpostID(from: one) == signposter.makeSignpostID(from: one))
        #expect(signposter.makeSignpostID(from: one) != signposter.makeSignpostID(from: two))
        #expect(signposter.makeSignpostID() != signposter.makeSignpostID())
    }
}
