import LinkProtocol

/// The timers of a loop: a binary heap, earliest first. Cancelled entries stay until they reach the top.
struct TimerQueue {
    typealias Identifier = UInt64

    private struct Entry {
        let time: MonotonicTime
        let identifier: Identifier
    }

    private var heap: [Entry] = []
    private var tasks: [Identifier: () -> Void] = [:]
    private var lastIdentifier: Identifier = 0

    mutating func add(at time: MonotonicTime, _ task: @escaping () -> Void) -> Identifier {
        lastIdentifier += 1
        tasks[lastIdentifier] = task
        heap.append(Entry(time: time, identifier: lastIdentifier))
        siftUp(heap.count - 1)
        return lastIdentifier
    }

    mutating func cancel(_ identifier: Identifier) { tasks[identifier] = nil }

    var nextTime: MonotonicTime? {
        mutating get {
            while let first = heap.first, tasks[first.identifier] == nil { removeTop() }
            return heap.first?.time
        }
    }

    /// Removes and returns the next task that is due.
    mutating func popDue(at time: MonotonicTime) -> (() -> Void)? {
        while let first = heap.first, first.time <= time {
            removeTop()
            if let task = tasks.removeValue(forKey: first.identifier) { return task }
        }
        return nil
    }

    private mutating func removeTop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].time < heap[parent].time else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].time < heap[least].time {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
