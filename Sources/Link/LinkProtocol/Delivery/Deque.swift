/// An ordered queue on an array, with amortized constant time at both ends.
package struct Deque<Element>: Sequence {
    private var elements: [Element] = []
    private var head = 0

    package init() {}

    package init(_ elements: some Sequence<Element>) { self.elements = Array(elements) }

    package var count: Int { elements.count - head }
    package var isEmpty: Bool { head == elements.count }
    package var first: Element? { isEmpty ? nil : elements[head] }
    package var last: Element? { isEmpty ? nil : elements.last }

    package mutating func append(_ element: Element) { elements.append(element) }

    package mutating func append(contentsOf more: some Sequence<Element>) { elements.append(contentsOf: more) }

    /// Removes the first element; does nothing if the queue is empty.
    package mutating func removeFirst() {
        guard !isEmpty else { return }
        head += 1
        guard !isEmpty else {
            elements.removeAll(keepingCapacity: true)
            head = 0
            return
        }
        // Dropping the used half in one step moves each element at most once.
        if head > elements.count / 2 {
            elements.removeSubrange(0..<head)
            head = 0
        }
    }

    package mutating func removeAll() {
        elements.removeAll()
        head = 0
    }

    package func makeIterator() -> ArraySlice<Element>.Iterator { elements[head...].makeIterator() }
}

extension Deque: Sendable where Element: Sendable {}
