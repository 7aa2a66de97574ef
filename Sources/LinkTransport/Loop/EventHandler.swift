/// What serves one descriptor on the loop, and is kept by the loop until it is told to forget the descriptor.
package protocol EventHandler: AnyObject {
    /// The descriptor is ready for some of what it is watched for, or its peer is gone.
    func ready(_ events: EventLoop.Interest)

    /// The loop ends: nothing will be served any more.
    func loopEnded()
}
