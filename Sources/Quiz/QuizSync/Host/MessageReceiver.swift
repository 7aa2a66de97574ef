public import LinkProtocol

/// Takes the messages of a ``WatchSessionDelegate`` on the delegate's queue, without a way over the main queue.
public protocol MessageReceiver: AnyObject, Sendable {
    /// - Parameter reply: Nil if the sender waits for none.
    func received(_ package: MessagePackage, reply: PendingReply?)
    /// All that came together has been received.
    func roundEnded()
}
