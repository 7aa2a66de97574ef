/// What serves one descriptor on the loop, and is kept by the loop until it is told to forget the descriptor.
package protocol EventHandler: AnyObject {
    /// The descriptor has become ready for some of what it is watched for, or its peer is gone. It is not said again until
    /// something new happens: all that is there must be taken, or the interest be told anew (``EventLoop/change(_:_:_:)``).
    func ready(_ events: EventLoop.Interest)

    /// The loop ends: nothing will be served any more.
    func loopEnded()
}
