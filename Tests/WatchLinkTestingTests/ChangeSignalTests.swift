import Testing

@testable import WatchLinkTesting

@Suite("A wait's time-out")
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
        // Tests that block their threads can keep tasks from running for a minute or two.
        let holds = try await ChangeSignal().holds(within: .seconds(600), checkedEvery: .milliseconds(1)) {
            checks += 1
            return checks == 3
        }
        #expect(holds)
    }
}
