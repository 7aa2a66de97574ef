package import Foundation
package import LinkProtocol
import LinkTransport

/// An application's handlers for one message. Exactly one of the two is called, once, on the delegate queue.
package struct MessageHandlers {
    package enum Reply {
        case data((Data) -> Void)
        case dictionary(([String: Any]) -> Void)
    }

    package let kind: TransferKind
    package let reply: Reply?
    package let error: ((any Error) -> Void)?
    /// The time at which the application sent the message.
    package let start = MonotonicTime.now

    package init(kind: TransferKind, reply: Reply?, error: ((any Error) -> Void)?) {
        self.kind = kind
        self.reply = reply
        self.error = error
    }
}
