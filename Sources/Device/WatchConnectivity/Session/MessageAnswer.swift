import Foundation

/// What a message is answered with.
enum MessageAnswer: Sendable {
    /// Nil where no reply was wanted.
    case reply(Data?)
    case failure(WCError)
}
