import Dispatch

/// Tells of its end.
final class Canary: Sendable {
    private let end: DispatchSemaphore

    init(_ end: DispatchSemaphore) { self.end = end }

    deinit { end.signal() }
}
