import Locking
import Testing

@testable import WatchLinkTesting

@Suite("Waits for changes")
struct ChangeSignalTests {
    @Test("Many short waits at once all end, however late their alarms are")
    func short() async throws {
        let ended = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let pause: Duration? = number.isMultiple(of: 2) ? nil : .microseconds(300)
                    return try await ChangeSignal().holds(within: .milliseconds(1), checkedEvery: pause) { false }
                }
            }
            return try await group.reduce(into: 0) { count, holds in count += holds ? 0 : 1 }
        }
        #expect(ended == 500)
    }

    @Test("What becomes true without a signal is seen at the next look")
    func looks() async throws {
        var checks = 0
        // Tests that block their threads can keep a task from running until nearly all of them have ended.
        let holds = try await ChangeSignal().holds(within: .seconds(86_400), checkedEvery: .milliseconds(1)) {
            checks += 1
            return checks == 3
        }
        #expect(holds)
    }

    @Test("A wait without changes looks at its beginning and at its end")
    func idle() async throws {
        var checks = 0
        let holds = try await ChangeSignal().holds(within: .milliseconds(50)) {
            checks += 1
            return false
        }
        #expect(!holds)
        // An alarm that is early rings again.
        #expect(checks < 10)
    }

    @Test("A wait that is over signals no more")
    func over() async throws {
        let signal = ChangeSignal()
        let holds = try await signal.holds(within: .seconds(600), checkedEvery: .seconds(600)) { true }
        #expect(holds)
        let generation = signal.generation
        for _ in 1...100 { await Task.yield() }
        #expect(signal.generation == generation)
    }

    @Test("A change that has been is not waited for")
    func past() async {
        let signal = ChangeSignal()
        let generation = signal.generation
        signal.signal()
        #expect(signal.generation != generation)
        await signal.change(after: generation)
    }

    @Test("A wait for a change ends with the change and not before; the next change is for other waits")
    func change() async {
        let signal = ChangeSignal()
        for _ in 1...2 {
            let isOver = Mutex(false)
            let generation = signal.generation
            let wait = Task {
                await signal.change(after: generation)
                isOver.withLock { $0 = true }
            }
            for _ in 1...100 { await Task.yield() }
            let isEarly = isOver.withLock { $0 }
            #expect(!isEarly)
            signal.signal()
            await wait.value
        }
    }
}
