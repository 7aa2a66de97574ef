import EventLog
package import Foundation
package import LinkProtocol

/// Interactive messages, both ways.
extension DeviceEngine {
    /// The app's answer to a message.
    package enum Answer: Equatable, Sendable {
        /// Nil if no reply was requested.
        case reply(Data?)
        case failure(SessionErrorCode, reason: String)
    }

    // MARK: - Out

    /// Sends a message of the app to a device.
    ///
    /// - Returns: The reason for a refusal; nil if the message is in flight, and ends with ``Effect/replied(_:_:)`` or
    ///   ``Effect/failed(_:_:)``.
    package mutating func send(_ package: MessagePackage, to device: UUID, at moment: Moment) -> MessageFailure? {
        let refusal = session.send(
            package.identifier, wantsReply: package.wantsReply, to: device, at: moment.time)
        guard refusal == nil else { return refusal }
        write(package, to: device, at: moment)
        // A message sent later has a later deadline.
        if alarms.messages == nil { alarms.messages = session.nextDeadline }
        return nil
    }

    // MARK: - In

    /// Handles the return of the delegate's method, or a message that was not delivered.
    package mutating func handled(_ device: UUID, bytes: Int, at moment: Moment) {
        perform(session.handled(device, bytes: bytes), at: moment)
    }

    /// Handles the delivery of a message to the delegate.
    package mutating func delivered(_ message: MessagePackage, from device: UUID, bytes: Int, at moment: Moment) {
        note(message, device, .delivered, at: moment)
        handled(device, bytes: bytes, at: moment)
    }

    /// Sends the app's answer to a message.
    package mutating func answer(
        _ message: MessagePackage, of device: UUID, with answer: Answer, at moment: Moment
    ) {
        let package: MessagePackage
        switch answer {
        case .reply(let data):
            package = MessagePackage(
                identifier: identifier(), command: message.command, status: .replied, dataPackage: data,
                answers: message.identifier, timestamp: moment.date)
            if message.wantsReply { note(message, device, .replied, at: moment) }
        case .failure(let code, let reason):
            package = MessagePackage(
                identifier: identifier(), command: message.command, status: .failed, errorMessage: reason,
                errorCode: code.rawValue, answers: message.identifier, timestamp: moment.date)
            note(message, device, .failed, at: moment, cause: reason)
        }
        do {
            guard try session.answering(message.identifier, of: device, with: package.status) else {
                return log(
                    .replyTooLate, [.package(message.identifier), .reason("the sender's connection is gone")])
            }
            write(package, to: device, at: moment)
        } catch {
            log(.messageFailed, [.package(message.identifier), .reason("the answer was not sent: \(error)")])
        }
    }

    // MARK: - Notes

    mutating func note(
        _ message: MessagePackage, _ device: UUID, _ state: LedgerEntry.State, at moment: Moment, cause: String? = nil
    ) {
        guard let kind = TransferKind(message.command) else { return }
        emit(
            .note(
                LedgerNote(
                    message.identifier, .incoming, kind, device: device, bytes: message.dataPackage?.count ?? 0, state,
                    at: moment.date, cause: cause)))
    }
}
