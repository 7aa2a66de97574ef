/// A first-in, first-out queue whose elements are removed in constant time.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    /// The number of removed places after which the storage is moved up. 32: a short queue is never moved.
    private static var slack: Int { 32 }

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if isEmpty {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > Self.slack, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
