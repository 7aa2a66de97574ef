/// The command of a package. The first six are WatchConnectivity's; the rest belong to the link itself.
public enum Command: String, CaseIterable, Sendable {
    /// A message with a dictionary, sent immediately.
    case sendMessage = "SendMessage"
    /// A message with data, sent immediately.
    case sendMessageData = "SendMessageData"
    /// The latest application context, which replaces an earlier one.
    case updateApplicationContext = "UpdateApplicationContext"
    /// A queued user info transfer.
    case transferUserInfo = "TransferUserInfo"
    /// A queued user info transfer for the watch's complication.
    case transferCurrentComplicationUserInfo = "TransferCurrentComplicationUserInfo"
    /// The announcement of a file transfer; the content follows in ``fileChunk`` packages.
    case transferFile = "TransferFile"

    /// The first package in each direction: the sender's identity and protocol versions.
    case hello = "Hello"
    /// The current state of the sender's device; not answered.
    case state = "State"
    /// A chunk of a file announced with ``transferFile``.
    case fileChunk = "FileChunk"
    /// The number of bytes of a file that the receiver has.
    case fileProgress = "FileProgress"
    /// The sender cancelled a transfer; the receiver can discard its partial data.
    case cancel = "Cancel"
    /// A keep-alive; not answered.
    case heartbeat = "Heartbeat"
    /// The last package: the reason why the sender closes the connection.
    case goodbye = "Goodbye"
    /// An unknown command from a peer with a newer version; its name is in `MessagePackage.commandName`.
    case unrecognized = "Unrecognized"
}
