public import Foundation
public import WatchConnectivity

/// Sends through a session and follows what becomes of it. Adopt it to get its methods.
public protocol SessionCommands: NotificationPosting, Sendable {
    /// The session to send through; the default one unless the adopter has its own.
    var session: WCSession { get }
}

extension SessionCommands {
    public var session: WCSession { .default }

    /// Sends data and posts ``Foundation/NSNotification/Name/messageStatusDidChange`` at each status: sent, then replied with
    /// the reply's data, or failed with the error's message.
    ///
    /// - Parameters:
    ///   - identifier: Stays the same when one message is sent again.
    ///   - completion: Called once, with the package in its last status.
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
