public import LinkProtocol
public import WatchConnectivity

/// The receivers of several applications on one host: each message goes to the one that its payload names.
public final class ApplicationReceivers: MessageReceiver {
    private let receivers: [RecordReceiver]
    private let byName: [String?: RecordReceiver]

    /// Combines receivers. A message that names none of their applications goes to the first one, which refuses it for
    /// now.
    public init(_ receivers: [RecordReceiver]) {
        self.receivers = receivers
        byName = Dictionary(receivers.map { ($0.application.payloadName, $0) }) { first, _ in first }
    }

    /// Passes on a message.
    public func received(_ package: MessagePackage, reply: PendingReply?) {
        // The only one decodes its messages while others are stored.
        guard receivers.count > 1 else {
            receivers.first?.received(package, reply: reply)
            return
        }
        let content = PayloadContent.of(package)
        let name: String?? = if case .success(let content) = content { content.name } else { nil }
        let receiver = name.flatMap { byName[$0] } ?? receivers.first
        receiver?.received(package, content, reply)
    }

    /// Refuses a message that is a dictionary without an archive.
    public func refused(_ error: PayloadError, reply: PendingReply?) { receivers.first?.refused(error, reply: reply) }

    /// Passes on a file to the application that it names.
    public func received(_ file: WCSessionFile) {
        byName[file.metadata?[Payload.nameKey] as? String]?.received(file)
    }

    /// All messages of a round have been received.
    public func roundEnded() { for receiver in receivers { receiver.roundEnded() } }

    /// Stores and replies to everything that has arrived.
    public func finish() { for receiver in receivers { receiver.finish() } }
}
