/// What a package asks for. The first six are WatchConnectivity's, the rest are the link's own.
public enum Command: String, CaseIterable, Sendable {
    case sendMessage = "SendMessage"
    case sendMessageData = "SendMessageData"
    case updateApplicationContext = "UpdateApplicationContext"
    case transferUserInfo = "TransferUserInfo"
    case transferCurrentComplicationUserInfo = "TransferCurrentComplicationUserInfo"
    case transferFile = "TransferFile"

    /// The first package each way: who speaks, and in which version.
    case hello = "Hello"
    /// How the sender's device is now; needs no answer.
    case state = "State"
    /// A piece of a file whose transfer was announced with ``transferFile``.
    case fileChunk = "FileChunk"
    /// How much of a file its receiver has.
    case fileProgress = "FileProgress"
    /// The sender gave a transfer up; its receiver may forget what it has of it.
    case cancel = "Cancel"
    /// Says that the sender is alive; needs no answer.
    case heartbeat = "Heartbeat"
    /// The last package: why the sender closes the connection.
    case goodbye = "Goodbye"
    /// A command that this code does not know, of a peer that speaks a newer version; ``MessagePackage/commandName`` has it.
    case unrecognized = "Unrecognized"
}
