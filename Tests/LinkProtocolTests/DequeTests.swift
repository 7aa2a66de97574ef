import Testing

@testable import LinkProtocol

@Suite("Queue on an array")
struct DequeTests {
    @Test("Whatever is appended and removed, it has the elements of an array, in order")
    func asArray() {
        var deque = Deque<Int>()
        var model: [Int] = []
        for step in 0..<200 {
            // Grows, shrinks to nothing, and begins again.
            if step % 40 < 15 {
                deque.append(step)
                model.append(step)
            } else {
                deque.removeFirst()
                model = Array(model.dropFirst())
            }
            #expect(Array(deque) == model, "after step \(step)")
            #expect(deque.count == model.count, "after step \(step)")
            #expect(deque.isEmpty == model.isEmpty, "after step \(step)")
            #expect(deque.first == model.first, "after step \(step)")
            #expect(deque.last == model.last, "after step \(step)")
        }
    }

    @Test("An emptied queue takes new elements; those appended together stay together")
    func emptied() {
        var deque = Deque(1...5)
        deque.removeFirst()
        deque.removeFirst()
        deque.removeAll()
        #expect(deque.isEmpty)
        #expect(deque.last == nil)
        deque.append(contentsOf: [6, 7])
        deque.removeFirst()
        #expect(Array(deque) == [7])
    }
}
