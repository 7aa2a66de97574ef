package import Foundation
package import LinkProtocol
package import Locking

/// A message on its way from the application to the loop.
package struct OutgoingMessage: Sendable {
    package let identifier: UUID
    package let payload: Data
    package let device: UUID
    package let handlers: UncheckedBox<MessageHandlers>
    /// The time at which the application sent it.
    package let time: Date

    package init(
        identifier: UUID, payload: Data, device: UUID, handlers: UncheckedBox<MessageHandlers>, time: Date
    ) {
        self.identifier = identifier
        self.payload = payload
        self.device = device
        self.handlers = handlers
        self.time = time
    }

    package var package: MessagePackage {
        MessagePackage(
            identifier: identifier, command: handlers.value.kind.command, status: .sent, dataPackage: payload,
            wantsReply: handlers.value.reply != nil, timestamp: time)
    }
}
