public import Foundation
public import WatchConnectivity

/// The sending of messages through a session, with notifications of their progress. Adopt it to get its methods.
public protocol SessionCommands: NotificationPosting, Sendable {
    /// The session to send through; the default session unless the adopter has its own.
    var session: WCSession { get }
}

extension SessionCommands {
    /// The default session.
    public var session: WCSession { .default }

    /// Sends data and posts ``Foundation/NSNotification/Name/messageStatusDidChange`` for each status: sent, then
    /// replied with the reply's data, or failed with the error's message.
    ///
    /// - Parameters:
    ///   - data: The payload.
    ///   - identifier: The identifier of the message; the same for every retry.
    ///   - completion: Called once, with the package in its final status.
    public func sendMessageData(
        _ data: Data, identifier: UUID = UUID(), completion: @escaping @Sendable (MessagePackage) -> Void = { _ in }
    ) {
        let sent = MessagePackage(
            identifier: identifier, command: .sendMessageData, status: .sent, dataPackage: data, wantsReply: true,
            timestamp: Date())
        let finish = { @Sendable [self] (package: MessagePackage) in
            post(.messageStatusDidChange, object: package)
            completion(package)
        }
        guard session.activationState == .activated else {
            let error = WCError(.sessionNotActivated)
            return finish(
                sent.with(status: .failed, errorMessage: error.localizedDescription, errorCode: error.errorCode))
        }
        post(.messageStatusDidChange, object: sent)
        session.sendMessageData(data, identifier: identifier) { reply in
            finish(sent.with(status: .replied, dataPackage: reply))
        } errorHandler: { error in
            finish(
                sent.with(
                    status: .failed, errorMessage: error.localizedDescription, errorCode: (error as? WCError)?.errorCode
                ))
        }
    }
}
