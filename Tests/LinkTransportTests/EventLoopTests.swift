import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Event loop")
struct EventLoopTests {
    @Test("Tasks run in order, on the loop")
    func order() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let numbers = Collector<Int>()
        for number in 0..<1000 { loop.execute { numbers.add(loop.isCurrent ? number : -1) } }
        #expect(numbers.wait { $0.count == 1000 })
        #expect(numbers.all == Array(0..<1000))
    }

    @Test("Timers fire in the order of their times; a cancelled one does not")
    func timers() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let fired = Collector<String>()
        loop.execute {
            let now = MonotonicTime.now
            _ = loop.schedule(at: now + .milliseconds(30)) { fired.add("late") }
            let cancelled = loop.schedule(at: now + .milliseconds(10)) { fired.add("never") }
            _ = loop.schedule(at: now + .milliseconds(5)) { fired.add("early") }
            loop.cancel(cancelled)
        }
        #expect(fired.wait { $0.count == 2 })
        #expect(fired.all == ["early", "late"])
    }

    @Test("The timer queue gives everything back in order", arguments: 0..<20)
    func heap(seed: Int) {
        var queue = TimerQueue()
        var times: [Int64] = []
        for index in 0..<200 {
            let time = Int64((index * 7919 + seed * 104_729) % 1000)
            times.append(time)
            _ = queue.add(at: MonotonicTime(nanoseconds: time)) {}
        }
        var popped: [Int64] = []
        while let next = queue.nextTime, queue.popDue(at: next) != nil { popped.append(next.nanoseconds) }
        #expect(popped == times.sorted())
    }
}
