import Testing

@testable import LinkProtocol

@Suite("End recorder")
struct EndRecorderTests {
    private var recorder = EndRecorder<String>()

    private mutating func add(_ ends: String...) { for end in ends { recorder.add(end) } }

    @Test("Nothing is written while nothing has ended")
    mutating func nothing() {
        #expect(recorder.next(at: at(0)) == nil)
        #expect(recorder.isEmpty)
        #expect(!recorder.isWriting)
        #expect(recorder.nextDeadline == nil)
    }

    @Test("Ended transfers are written in one commit, in order, and reported once it is durable")
    mutating func together() {
        add("a", "b", "c")
        #expect(recorder.next(at: at(0)) == ["a", "b", "c"])
        #expect(recorder.isWriting)
        #expect(!recorder.isEmpty)
        #expect(recorder.recorded() == ["a", "b", "c"])
        #expect(recorder.isEmpty)
        #expect(!recorder.isWriting)
        #expect(recorder.next(at: at(0)) == nil)
    }

    @Test("One commit at a time: transfers that end meanwhile are in the next one")
    mutating func meanwhile() {
        add("a")
        #expect(recorder.next(at: at(0)) == ["a"])
        add("b", "c")
        #expect(recorder.next(at: at(5)) == nil)
        #expect(recorder.recorded() == ["a"])
        #expect(!recorder.isEmpty)
        #expect(recorder.next(at: at(5)) == ["b", "c"])
        #expect(recorder.recorded() == ["b", "c"])
    }

    @Test("After a failure nothing is written until the delay has passed, whatever ends meanwhile")
    mutating func delay() {
        add("a")
        _ = recorder.next(at: at(10))
        recorder.failed(at: at(12))
        #expect(!recorder.isWriting)
        #expect(recorder.nextDeadline == at(13))
        #expect(recorder.next(at: at(12)) == nil)
        add("b")
        #expect(recorder.next(at: at(12.999_999_999)) == nil)
        #expect(recorder.nextDeadline == at(13))
        #expect(recorder.next(at: at(13)) == ["a", "b"])
        #expect(recorder.nextDeadline == nil)
        #expect(recorder.recorded() == ["a", "b"])
    }

    @Test("Transfers that end during a failing commit follow its own in the next one")
    mutating func failsMeanwhile() {
        add("a", "b")
        _ = recorder.next(at: at(0))
        add("c")
        recorder.failed(at: at(0))
        #expect(recorder.next(at: at(1)) == ["a", "b", "c"])
        add("d")
        #expect(recorder.recorded() == ["a", "b", "c"])
        #expect(recorder.next(at: at(1)) == ["d"])
    }

    @Test("Each failure has its own delay, and a success ends it")
    mutating func again() {
        add("a")
        for second in 0..<5 {
            #expect(recorder.next(at: at(Double(second))) == ["a"])
            recorder.failed(at: at(Double(second)))
            #expect(recorder.nextDeadline == at(Double(second + 1)))
        }
        _ = recorder.next(at: at(5))
        _ = recorder.recorded()
        add("b")
        #expect(recorder.nextDeadline == nil)
        #expect(recorder.next(at: at(5)) == ["b"])
    }

    @Test("An end that is reported twice is written twice: the caller prevents duplicates")
    mutating func twice() {
        add("a")
        _ = recorder.next(at: at(0))
        add("a")
        #expect(recorder.recorded() == ["a"])
        #expect(recorder.next(at: at(0)) == ["a"])
    }

    @Test("An outcome without a commit stops the program with the state")
    func outcomeOfNothing() async {
        let recorded = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var recorder = EndRecorder<String>()
            recorder.add("a")
            _ = recorder.recorded()
        }
        #expect(Self.text(recorded).contains("no commit was in progress: idle"), "\(Self.text(recorded))")
        let failed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var recorder = EndRecorder<String>()
            recorder.add("a")
            _ = recorder.next(at: at(0))
            recorder.failed(at: at(0))
            recorder.failed(at: at(0))
        }
        #expect(Self.text(failed).contains("no commit was in progress: waiting"), "\(Self.text(failed))")
    }

    private static func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
}
