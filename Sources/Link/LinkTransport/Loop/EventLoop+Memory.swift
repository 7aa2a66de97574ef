import CLinux
import LinkProtocol

extension EventLoop {
    /// The delay before freed memory is returned to the system. 2 s: longer than the goodbyes of closed connections.
    private static let returnDelay: Duration = .seconds(2)

    /// Schedules the return of freed memory from the allocator to the system.
    package func returnMemory() {
        _ = schedule(at: .now + Self.returnDelay) { _ = malloc_trim(0) }
    }
}
