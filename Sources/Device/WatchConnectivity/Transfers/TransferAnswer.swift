import Foundation
import LinkProtocol
import LinkTransport

/// What a receiver says to a transfer.
enum TransferAnswer: Sendable {
    /// It is durable here: its sender may forget it.
    case arrived
    /// It will never be taken.
    case refused(WCError)
    /// It cannot be kept now: send it again later.
    case later(String)

    /// The package that says so: what ``TransferStateMachine/Ending`` reads.
    func package(_ transfer: UUID, _ command: Command) -> MessagePackage {
        let (reason, code): (String?, Int?) =
            switch self {
            case .arrived: (nil, nil)
            case .refused(let error): (error.reason, error.errorCode)
            case .later(let reason): (reason, nil)
            }
        return MessagePackage(
            identifier: .random(), command: command, status: reason == nil ? .replied : .failed, errorMessage: reason,
            errorCode: code, answers: transfer, timestamp: Date())
    }
}
