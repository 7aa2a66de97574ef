import CLinux
import LinkProtocol

extension EventLoop {
    /// Until freed memory goes back to the system. 2 s: longer than the goodbyes of connections that were just closed.
    private static let returnDelay: Duration = .seconds(2)

    /// Soon gives back what the allocator keeps of freed memory.
    package func returnMemory() {
        _ = schedule(at: .now + Self.returnDelay) { _ = malloc_trim(0) }
    }
}
