public import LinkProtocol

/// A receiver of the messages of a ``WatchSessionDelegate``, called on the delegate's queue, not on the main queue.
public protocol MessageReceiver: AnyObject, Sendable {
    /// Receives a message.
    ///
    /// - Parameters:
    ///   - package: The message.
    ///   - reply: The pending reply; nil if the sender does not wait for one.
    func received(_ package: MessagePackage, reply: PendingReply?)
    /// All messages of a round have been received.
    func roundEnded()
}
