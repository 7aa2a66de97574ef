import DeviceShell

extension EventQueue {
    /// Returns the events since the last look.
    func look() -> [NotedEvent] {
        let batch = EventBatch()
        _ = take(into: batch) { _ in true }
        var events: [NotedEvent] = []
        batch.drain { events.append($0) }
        return events
    }
}
