import Foundation
import LinkProtocol

/// What a receiver says to a transfer.
enum TransferAnswer: Sendable {
    /// It is durable here: its sender may forget it.
    case arrived
    /// It will never be taken.
    case refused(WCError)
    /// It cannot be kept now: send it again later.
    case later(String)

    /// The package that says so. A failure without a code asks to be sent again.
    func package(_ transfer: UUID, _ command: Command) -> MessagePackage {
        let (reason, code): (String?, Int?) =
            switch self {
            case .arrived: (nil, nil)
            case .refused(let error): (error.reason, error.errorCode)
            case .later(let reason): (reason, nil)
            }
        return MessagePackage(
            identifier: UUID(), command: command, status: reason == nil ? .replied : .failed, errorMessage: reason,
            errorCode: code, answers: transfer, timestamp: Date())
    }

    /// What a package says.
    init(_ package: MessagePackage) {
        let reason = package.errorMessage ?? "it failed without a reason"
        switch (package.status, package.errorCode) {
        case (.replied, _): self = .arrived
        case (_, nil): self = .later(reason)
        case (_, let code?): self = .refused(WCError(WCError.Code(rawValue: code) ?? .genericError, reason: reason))
        }
    }
}
