import LinkProtocol
import Testing

@testable import LinkTransport

@Suite("Timer queues")
struct TimerQueueTests {
    /// A queue behind a reference: what is expected must not change a value. Each task notes its name.
    private final class Timers {
        private var queue = TimerQueue()
        private(set) var names: [String] = []

        func add(_ time: Int64, _ name: String) -> TimerQueue.Identifier {
            queue.add(at: MonotonicTime(nanoseconds: time)) { [unowned self] in names.append(name) }
        }

        func cancel(_ timer: TimerQueue.Identifier) { queue.cancel(timer) }

        var next: Int64? { queue.nextTime?.nanoseconds }

        /// Runs the next due task; returns false if there is none.
        func run(_ time: Int64) -> Bool {
            guard let task = queue.popDue(at: MonotonicTime(nanoseconds: time)) else { return false }
            task()
            return true
        }
    }

    @Test("A timer is due from its time on, once")
    func due() {
        let timers = Timers()
        _ = timers.add(10, "a")
        let runs = [timers.run(9), timers.run(10), timers.run(10)]
        #expect(runs == [false, true, false])
        #expect(timers.names == ["a"])
        #expect(timers.next == nil)
    }

    @Test("The next time is the earliest that is not cancelled")
    func next() {
        let timers = Timers()
        #expect(timers.next == nil)
        _ = timers.add(30, "late")
        let early = timers.add(10, "early")
        _ = timers.add(20, "middle")
        #expect(timers.next == 10)
        timers.cancel(early)
        #expect(timers.next == 20)
        let runs = [timers.run(30), timers.run(30), timers.run(30)]
        #expect(runs == [true, true, false])
        #expect(timers.names == ["middle", "late"])
    }

    @Test("Cancelled timers never run, wherever they are in the queue, and can be cancelled again")
    func cancelled() {
        let timers = Timers()
        let identifiers = (0..<10).map { timers.add(Int64(10 - $0), "\(10 - $0)") }
        for identifier in identifiers where identifier % 2 == 0 {
            timers.cancel(identifier)
            timers.cancel(identifier)
        }
        timers.cancel(1_000)
        while timers.run(100) {}
        #expect(timers.names == ["2", "4", "6", "8", "10"])
        #expect(Set(identifiers).count == 10)
    }

    @Test("A timer that has run cannot be cancelled into another")
    func ran() {
        let timers = Timers()
        let first = timers.add(1, "first")
        let isRun = timers.run(1)
        #expect(isRun)
        _ = timers.add(1, "second")
        timers.cancel(first)
        #expect(timers.next == 1)
    }

    @Test("Timers of one time all run")
    func equal() {
        let timers = Timers()
        for name in ["a", "b", "c", "d", "e"] { _ = timers.add(5, name) }
        while timers.run(5) {}
        #expect(timers.names.sorted() == ["a", "b", "c", "d", "e"])
    }
}
