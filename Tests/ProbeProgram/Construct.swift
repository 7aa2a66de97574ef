import CVirtualTime

/// One way in which Swift programs wait, wake, read a clock or draw entropy; its body runs in a world of its own.
struct Construct: Sendable {
    var name: String
    /// Runs on the main thread, whose run loop runs afterwards. The world ends by `finish`.
    var body: @Sendable @MainActor () -> Void

    init(_ name: String, _ body: @escaping @Sendable @MainActor () -> Void) {
        self.name = name
        self.body = body
    }

    static let all: [Construct] =
        tasks + queues + timers + locks + timedWaits + descriptors + signals + processes + files + ends
}

/// Writes a line to the world's trace, with its time and thread.
func trace(_ line: String) { virtual_time_trace(line) }

func finish() -> Never { virtual_time_finish(nil) }
