import Dispatch
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
        numbers.expect { $0.count == 1000 }
        #expect(numbers.all == Array(0..<1000))
    }

    @Test("The system shows the thread by its name", arguments: ["test", "name-15-letters"])
    func name(_ name: String) throws {
        let loop = try EventLoop(name: name)
        defer { loop.stopLater() }
        let names = Collector<String>()
        loop.execute {
            names.add((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "not read")
        }
        names.expect { $0 == ["\(name)\n"] }
    }

    @Test("The alarm of a cancelled timer is put off if it would come more than a second too early")
    func alarm() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let start = MonotonicTime.now + .seconds(3_600)
        var timer: EventLoop.TimerIdentifier?
        for (time, alarm) in [(10.5, 10.5), (11.499, 10.5), (11.5, 11.5), (20.5, 20.5), (20, 20)] {
            timer = try loop.perform { [timer] in
                if let timer { loop.cancel(timer) }
                return loop.schedule(at: start + .seconds(time)) {}
            }
            // The alarm is set at the end of a turn.
            let set = try loop.perform { loop.alarmTime?.seconds(since: start) }
            #expect(set == alarm, "a timer at \(time)")
        }
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
        fired.expect { $0.count == 2 }
        #expect(fired.all == ["early", "late"])
    }

    @Test("A loop that ends lets go of what waited on it")
    func release() throws {
        let gone = DispatchSemaphore(value: 0)
        do {
            let loop = try EventLoop(name: "test")
            let canary = Canary(gone)
            loop.execute { _ = loop.schedule(at: .now + .seconds(3_600)) { withExtendedLifetime((loop, canary)) {} } }
            loop.stopLater()
        }
        #expect(gone.wait(timeout: .now() + .seconds(30)) == .success)
    }

    @Test("Whoever takes the sleeping loop's turn is the loop, alone and in order")
    func borrowedTurns() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let done = Collector<Int>()
        // Proof of `nonisolated(unsafe)`: used in turns of the loop only, which is what is tested.
        nonisolated(unsafe) var running = 0
        let threads = 4
        let each = 2_000
        for thread in 0..<threads {
            Thread.detachNewThread {
                for number in 0..<each {
                    let task: @Sendable () -> Void = {
                        running += 1
                        let isAlone = running == 1 && loop.isCurrent
                        running -= 1
                        done.add(isAlone ? thread * each + number : -1)
                    }
                    number % 3 == 0 ? loop.execute(task) : loop.executeNow(task)
                }
            }
        }
        done.expect { $0.count == threads * each }
        for thread in 0..<threads {
            let own = done.all.filter { $0 / each == thread }
            #expect(own == Array((thread * each)..<((thread + 1) * each)))
        }
    }

    @Test("A timer that a borrowed turn sets wakes the loop in time")
    func borrowedTimer() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let fired = Collector<Int>()
        // The loop sleeps without an end until then.
        loop.executeNow { _ = loop.schedule(at: .now + .milliseconds(5)) { fired.add(1) } }
        fired.expect { $0 == [1] }
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
