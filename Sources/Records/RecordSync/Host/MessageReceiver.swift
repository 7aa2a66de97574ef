public import LinkProtocol
public import WatchConnectivity

/// A receiver of the messages of a ``WatchSessionDelegate``, called on the delegate's queue, not on the main queue.
public protocol MessageReceiver: AnyObject, Sendable {
    /// Receives a message.
    ///
    /// - Parameters:
    ///   - package: The message.
    ///   - reply: The pending reply; nil if the sender does not wait for one.
    func received(_ package: MessagePackage, reply: PendingReply?)
    /// Refuses a message that is a dictionary without an archive.
    func refused(_ error: PayloadError, reply: PendingReply?)
    /// Receives a file, which exists until this returns.
    func received(_ file: WCSessionFile)
    /// All messages of a round have been received.
    func roundEnded()
}

extension MessageReceiver {
    /// Answers that the message is undecodable.
    public func refused(_ error: PayloadError, reply: PendingReply?) {
        reply?.send(RecordAcknowledgement(nil, .undecodable, message: "\(error)"))
    }

    /// Does nothing: the session removes the file.
    public func received(_ file: WCSessionFile) {}
}
