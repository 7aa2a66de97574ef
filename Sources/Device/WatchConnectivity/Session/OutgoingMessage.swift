import Foundation
import LinkProtocol
import Locking

/// A message on its way from the application to the loop.
struct OutgoingMessage: Sendable {
    let identifier: UUID
    let payload: Data
    let device: UUID
    let handlers: UncheckedBox<MessageHandlers>
    /// When the application sent it.
    let time: Date

    var package: MessagePackage {
        MessagePackage(
            identifier: identifier, command: handlers.value.kind.command, status: .sent, dataPackage: payload,
            wantsReply: handlers.value.reply != nil, timestamp: time)
    }
}
