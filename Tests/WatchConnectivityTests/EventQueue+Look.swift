import DeviceShell

extension EventQueue {
    /// Returns the events since the last look, without the returns of calls.
    func look() -> [NotedEvent] {
        var batch = EventBatch()
        _ = take(into: &batch) { _ in true }
        var events: [NotedEvent] = []
        batch.drain { if $0.stage != .returned { events.append($0) } }
        return events
    }
}
