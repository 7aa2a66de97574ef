import Glibc

/// The set of threads inside an operation whose effects are applied together at its end.
public final class ThreadScope: Sendable {
    private let threads = Mutex<[pthread_t]>([])

    /// Creates a scope without threads.
    public init() {}

    /// Runs the body on the calling thread, inside the scope.
    public func run(_ body: () -> Void) {
        let thread = pthread_self()
        threads.withLock { $0.append(thread) }
        body()
        threads.withLock { threads in
            if let place = threads.lastIndex(of: thread) { threads.remove(at: place) }
        }
    }

    /// True if the calling thread is inside the scope.
    public var isInside: Bool { threads.withLock { !$0.isEmpty && $0.contains(pthread_self()) } }
}
