/// The limits that the link applies to peers and to its own side, each with its reason.
public enum LinkLimits {
    /// Longest frame body. 512 KiB: twice the largest payload (an application context, 262,144 bytes) in its package.
    public static let frameBytes = 512 * 1024
    /// Longest frame body before the peer's hello has been accepted. 8 KiB: eight times the longest hello written here.
    package static let helloBytes = 8 * 1024
    /// Memory for incomplete hellos over all connections of one side. 4 MiB: a well-behaved peer sends its hello in one
    /// piece, which is never buffered.
    package static let ungreetedBytes = 4 * 1024 * 1024
    /// Concurrent piece streams of one sender. 8: a sender has seven lanes.
    package static let pieceStreams = 8
    /// Bytes of incomplete packages buffered for one peer. 2 MiB: twice the sum of the largest packages of all lanes.
    package static let connectionPieceBytes = 2 * 1024 * 1024
    /// Bytes of incomplete packages buffered for all peers of an endpoint. 64 MiB: more than 5,000 watches can send at
    /// the same time with 12 KiB each.
    package static let endpointPieceBytes = 64 * 1024 * 1024
    /// Longest payload of a message or user info: Apple's limit (WCPayloadSizeLimitMessage).
    public static let messageBytes = 65_536
    /// Longest application context: Apple's limit (WCPayloadSizeLimitApplicationContext).
    public static let contextBytes = 262_144
    /// Bytes of a file in one package. 128 KiB: large enough that the overhead is small beside the copying, small
    /// enough to resend after a disconnect.
    package static let fileChunkBytes = 128 * 1024
    /// File chunks in flight. 8: one mebibyte, the largest send window of a link.
    package static let fileChunks = 8
    /// User infos in flight to one counterpart. 32: enough to fill the receiver's commits; if all have the largest
    /// size, they use half of the send queue.
    package static let userInfosUnderWay = 32
    /// Longest file name, in UTF-8 bytes: the limit of Linux file systems.
    package static let fileNameBytes = 255
    /// Longest name of an unknown command, in UTF-8 bytes: three times the longest known one.
    package static let commandBytes = 100
    /// Longest device name, in UTF-8 bytes.
    public static let deviceNameBytes = 256
    /// Bytes queued for one peer, per urgency. 4 MiB: sixty of the largest messages; a longer queue means that the peer
    /// has stopped reading.
    public static let queuedBytes = 4 * 1024 * 1024
    /// Messages of one session that await a reply. 4,096: a table of a few hundred kilobytes.
    public static let outstandingMessages = 4_096
    /// Messages queued for the delegate before the link stops reading from that peer.
    public static let undeliveredMessages = 1_024
    /// Payload bytes queued for the delegate before the link stops reading from that peer.
    public static let undeliveredBytes = 4 * 1024 * 1024
    /// Timed-out messages that are remembered, to distinguish late replies from stray ones.
    public static let rememberedTimeouts = 1_024
    /// Watches that a host knows. 10,000: twice the design load; each takes a database row and a directory.
    public static let companions = 10_000
    /// Watches that can pair automatically in one burst. 5,000: the design load of a host; the remaining capacity is
    /// reserved for later arrivals.
    public static let newCompanions = 5_000
    /// Watches that can pair automatically per second after the burst. 1: more than normal use needs; a flood takes
    /// more than an hour to fill the table, and is logged all that time.
    public static let newCompanionsPerSecond = 1
    /// Connections that a host serves concurrently, before or after the hello. 8,192: 5,000 companions plus reconnects.
    public static let connections = 8_192
}
