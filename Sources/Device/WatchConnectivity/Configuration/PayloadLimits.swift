import LinkProtocol

/// How large payloads may be, in bytes. The defaults are those of Apple's devices.
public struct PayloadLimits: Equatable, Sendable {
    /// What a setting may ask for at most. 448 KiB: with its package it must fit into a frame of 512 KiB.
    public static let maximum = 448 * 1024

    /// A message, or the reply to one.
    public var message = LinkLimits.messageBytes
    /// A user info, or a file's metadata.
    public var userInfo = LinkLimits.messageBytes
    public var context = LinkLimits.contextBytes

    public init() {}

    func limit(_ kind: TransferKind) -> Int {
        switch kind {
        case .message, .data: message
        case .context: context
        case .userInfo, .complication, .file: userInfo
        }
    }
}
