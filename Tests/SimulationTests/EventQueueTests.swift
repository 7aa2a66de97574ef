import LinkProtocol
import Testing

@testable import Simulation

@Suite("The queue of events")
struct EventQueueTests {
    /// Returns the numbers of the steps that leave a queue, in order.
    private func drain(_ queue: inout EventQueue) -> [Int] {
        var numbers: [Int] = []
        while let (target, event) = queue.popFirst() {
            guard case .step(let number) = event else { continue }
            #expect(target.node == Int32(number % 3))
            numbers.append(number)
        }
        return numbers
    }

    private func add(_ number: Int, at time: Int64, to queue: inout EventQueue) {
        queue.add(
            at: MonotonicTime(nanoseconds: time), EventQueue.Target(node: number % 3, life: 1), .step(number))
    }

    @Test("Events leave by time, and in scheduling order where times are equal, however many wait")
    func order() {
        var queue = EventQueue()
        var random = SeededGenerator(seed: 3)
        var expected: [(time: Int64, number: Int)] = []
        for number in 0..<3_000 {
            let time = Int64(random.unit() * 100)
            expected.append((time, number))
            add(number, at: time, to: &queue)
        }
        #expect(queue.count == 3_000)
        #expect(queue.nextTime == expected.map { MonotonicTime(nanoseconds: $0.time) }.min())
        expected.sort { ($0.time, $0.number) < ($1.time, $1.number) }
        #expect(drain(&queue) == expected.map(\.number))
        #expect(queue.nextTime == nil)
        #expect(queue.popFirst().map { _ in true } == nil)
    }

    @Test("Slots are used again while events come and go")
    func reuse() {
        var queue = EventQueue()
        var left: [Int] = []
        for number in 0..<10_000 {
            add(number, at: Int64(number), to: &queue)
            if number >= 5, case .step(let first)? = queue.popFirst()?.1 { left.append(first) }
        }
        left += drain(&queue)
        #expect(left == Array(0..<10_000))
    }

    @Test("A queue releases what its events hold, those that wait and those that left")
    func release() {
        final class Held {}
        weak var waiting: Held?
        weak var left: Held?
        do {
            var queue = EventQueue()
            let (first, second) = (Held(), Held())
            (left, waiting) = (first, second)
            queue.add(at: MonotonicTime(nanoseconds: 1), .world, .action { _ = first })
            queue.add(at: MonotonicTime(nanoseconds: 2), .world, .action { _ = second })
            _ = queue.popFirst()
        }
        #expect(waiting == nil)
        #expect(left == nil)
    }
}
