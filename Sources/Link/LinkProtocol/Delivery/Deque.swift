/// A queue on an array: both ends in constant time, on average, and elements in order.
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

    /// Does nothing when there is no element.
    package mutating func removeFirst() {
        guard !isEmpty else { return }
        head += 1
        // Dropping the used half at once makes each element move at most once.
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
