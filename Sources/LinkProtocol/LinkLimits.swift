/// What the link takes from a peer and from its own side, each with its reason.
public enum LinkLimits {
    /// Longest body of a frame. 512 KiB: the largest payload (an application context, 262,144 bytes) in its package, twice over.
    public static let frameBytes = 512 * 1024
    /// Longest payload of a message or user info: Apple's own limit (WCPayloadSizeLimitMessage).
    public static let messageBytes = 65_536
    /// Longest name of a device, in UTF-8.
    public static let deviceNameBytes = 256
    /// What may wait to be written to one peer. 4 MiB: sixty of the largest messages; more says that the peer does not read.
    public static let queuedBytes = 4 * 1024 * 1024
    /// Messages of one session that may wait for their reply. 4,096: a table of a few hundred kilobytes.
    public static let outstandingMessages = 4_096
    /// Messages that may wait for the delegate before the link stops reading from that peer.
    public static let undeliveredMessages = 1_024
    /// Payload that may wait for the delegate before the link stops reading from that peer.
    public static let undeliveredBytes = 4 * 1024 * 1024
    /// Timed-out messages that are remembered, to tell a late reply from a reply to nothing.
    public static let rememberedTimeouts = 1_024
    /// Connections that a host serves at once, greeted or not. 8,192: 5,000 companions and room for those that come back.
    public static let connections = 8_192
}
