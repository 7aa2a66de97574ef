import Foundation
import LinkProtocol
import LinkTransport

/// What an application wants to be told of one message. Exactly one of the two is called, once, on the delegate queue.
struct MessageHandlers {
    enum Reply {
        case data((Data) -> Void)
        case dictionary(([String: Any]) -> Void)
    }

    let kind: TransferKind
    let reply: Reply?
    let error: ((any Error) -> Void)?
    /// When the application handed the message over.
    let start = MonotonicTime.now
}
