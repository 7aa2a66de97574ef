/// What the link takes from a peer and from its own side, each with its reason.
public enum LinkLimits {
    /// Longest body of a frame. 512 KiB: the largest payload (an application context, 262,144 bytes) in its package, twice over.
    public static let frameBytes = 512 * 1024
    /// Longest body of a frame until the peer's hello has been understood. 8 KiB: eight times the longest that this code writes.
    package static let helloBytes = 8 * 1024
    /// What all connections of one side together may keep of hellos that are not whole. 4 MiB: honest hellos come in one piece and
    /// are never kept.
    package static let ungreetedBytes = 4 * 1024 * 1024
    /// Streams of one sender's pieces. 8: a sender has seven lanes.
    package static let pieceStreams = 8
    /// Bytes of unfinished packages that one peer's pieces may come to. 2 MiB: twice what the largest package of each lane has.
    package static let connectionPieceBytes = 2 * 1024 * 1024
    /// The same of all peers of an endpoint together. 64 MiB: more than 5,000 watches send at once, on 12 KiB each.
    package static let endpointPieceBytes = 64 * 1024 * 1024
    /// Longest payload of a message or user info: Apple's own limit (WCPayloadSizeLimitMessage).
    public static let messageBytes = 65_536
    /// Longest application context: Apple's own limit (WCPayloadSizeLimitApplicationContext).
    public static let contextBytes = 262_144
    /// Bytes of a file in one package. 128 KiB: large enough to cost little beside the copying, small enough to be sent again
    /// after a break.
    package static let fileChunkBytes = 128 * 1024
    /// Chunks of a file that may be under way. 8: a mebibyte, as much as the largest window of a link.
    package static let fileChunks = 8
    /// User infos to one counterpart under way at once. 32: enough to fill the receiver's commits, and half of what may wait to
    /// be written if they are the largest.
    package static let userInfosUnderWay = 32
    /// Longest name of a file, in UTF-8: what Linux file systems take.
    package static let fileNameBytes = 255
    /// Longest name of a command that is not known, in UTF-8: three times the longest that is.
    package static let commandBytes = 100
    /// Longest name of a device, in UTF-8.
    public static let deviceNameBytes = 256
    /// What may wait to be written to one peer, of each urgency. 4 MiB: sixty of the largest messages; more says that the peer
    /// does not read.
    public static let queuedBytes = 4 * 1024 * 1024
    /// Messages of one session that may wait for their reply. 4,096: a table of a few hundred kilobytes.
    public static let outstandingMessages = 4_096
    /// Messages that may wait for the delegate before the link stops reading from that peer.
    public static let undeliveredMessages = 1_024
    /// Payload that may wait for the delegate before the link stops reading from that peer.
    public static let undeliveredBytes = 4 * 1024 * 1024
    /// Timed-out messages that are remembered, to tell a late reply from a reply to nothing.
    public static let rememberedTimeouts = 1_024
    /// Watches that a host knows. 10,000: twice what it is made to serve; each takes a row and a directory.
    public static let companions = 10_000
    /// Watches that may pair by themselves at once. 5,000: as many as a host is made to serve; what is beyond them stays for
    /// those that come later.
    public static let newCompanions = 5_000
    /// Watches that may pair by themselves in a second after that. 1: more than people bring; a flood takes more than an hour to
    /// fill what a host keeps, and is in the log all the while.
    public static let newCompanionsPerSecond = 1
    /// Connections that a host serves at once, greeted or not. 8,192: 5,000 companions and room for those that come back.
    public static let connections = 8_192
}
