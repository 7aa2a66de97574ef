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
    /// Says that the sender is alive; needs no answer.
    case heartbeat = "Heartbeat"
    /// The last package: why the sender closes the connection.
    case goodbye = "Goodbye"
}
