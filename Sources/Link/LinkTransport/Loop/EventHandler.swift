/// A handler of one descriptor on the loop. The loop retains it until ``EventLoop/forget(_:)``.
package protocol EventHandler: AnyObject {
    /// Handles readiness or hang-up of the descriptor. Notification is edge-triggered: the handler must consume
    /// everything available, or set its interest again (``EventLoop/change(_:_:_:)``).
    func ready(_ events: EventLoop.Interest)

    /// Handles the end of the loop, after which no events are delivered.
    func loopEnded()
}
