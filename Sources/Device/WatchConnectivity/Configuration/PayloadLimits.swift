import LinkProtocol

/// The maximum sizes of payloads, in bytes. The defaults are those of Apple's devices.
public struct PayloadLimits: Equatable, Sendable {
    /// The largest allowed value. 448 KiB: with its package it must fit into a frame of 512 KiB.
    public static let maximum = 448 * 1024

    /// The limit for a message or a reply.
    public var message = LinkLimits.messageBytes
    /// The limit for a user info or a file's metadata.
    public var userInfo = LinkLimits.messageBytes
    /// The limit for an application context.
    public var context = LinkLimits.contextBytes

    /// Creates the default limits.
    public init() {}

    func limit(_ kind: TransferKind) -> Int {
        switch kind {
        case .message, .data: message
        case .context: context
        case .userInfo, .complication, .file: userInfo
        }
    }
}
