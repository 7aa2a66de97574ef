import Dispatch
import Synchronization

/// Calls the body for each element on some threads; the results stand in the elements' order. The first error is thrown in the end.
func inParallel<Element: Sendable, Result: Sendable>(
    _ elements: [Element], jobs: Int, _ body: @escaping @Sendable (Element) throws -> Result
) throws -> [Result] {
    let next = Atomic(0)
    let results = Mutex<[Int: Swift.Result<Result, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
        while true {
            let place = next.add(1, ordering: .relaxed).oldValue
            guard place < elements.count else { return }
            let result = Swift.Result { try body(elements[place]) }
            results.withLock { $0[place] = result }
        }
    }
    return try results.withLock { done in try elements.indices.compactMap { try done[$0]?.get() } }
}
