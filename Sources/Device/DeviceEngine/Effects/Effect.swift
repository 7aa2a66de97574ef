package import EventLog
package import Foundation
package import LinkProtocol

extension DeviceEngine {
    /// A step that a shell performs for the engine, in the order of emission. It references no object; each group lists
    /// the methods by which the shell reports the result.
    ///
    /// Large and rare ones are indirect: every effect has the size of the largest, and is moved several times.
    package enum Effect: Equatable, Sendable {
        // MARK: The link: wrote(_:to:of:), unwritten(_:to:of:_:)

        /// Write a package.
        ///
        /// - Parameter of: The transfer that the package belongs to, which is retried if the write fails.
        case write(MessagePackage, to: UUID, of: UUID?)
        /// Write a package that a fault delayed; the result is not reported.
        case writeLate(MessagePackage, to: UUID)
        /// Close the connection to a device, and send it the reason.
        ///
        /// - Parameter misbehaved: Whether the device violated the protocol.
        case disconnect(UUID, reason: String, misbehaved: Bool)
        /// Report a device's protocol violation.
        case misbehaved(UUID, ProtocolError)
        /// Stop reading from a device that is too far ahead of the app, or resume.
        case setReading(UUID, Bool)
        /// Use this state in future hellos.
        case greet(DeviceState)
        /// Take the link down for a while, as a fault demands.
        case loseLink(Duration)

        // MARK: The app

        /// Presence changed from this value.
        case presenceChanged(from: PresenceOutline)
        case news(AppNotification)
        /// Deliver a message to the delegate: answer(_:of:with:), and delivered(_:from:bytes:) or handled(_:bytes:),
        /// once.
        case deliver(MessagePackage, from: Device, bytes: Int)
        /// A message has its reply, or was received and needs none.
        case replied(UUID, Data?)
        case failed(UUID, MessageFailure)
        /// Deliver a transfer to the delegate: given(_:_:opening:).
        ///
        /// - Parameter opening: The number of times the inbox was opened; repeated in the answer.
        case give(ReceivedTransfer, opening: Int)
        /// Report a transfer's outcome to the delegate: told(_:wasTold:).
        case tellEnd(UUID, OutgoingTransfer.Ending)
        /// The receiver has this many bytes of a file.
        case fileProgressed(UUID, to: Int64)
        /// This many more transfers wait for the delegate.
        ///
        /// - Parameter isOpen: Whether the session delivers them.
        case arrived(Int, isOpen: Bool)
        /// This many fewer transfers wait for the delegate.
        case settled(Int)

        // MARK: The store

        /// Read transfers that are to be sent: loaded(_:of:batch:), loadFailed(_:batch:reason:).
        ///
        /// - Parameter batch: Repeated in the answer.
        case load([UUID], batch: Int)
        /// Record the outcomes of transfers: recorded(), recordFailed().
        case record([TransferStateMachine.Ending])
        /// Forget ended transfers, and write these notes in the same commit: forgotten(_:), forgetFailed(_:_:).
        case forget([UUID], [LedgerNote])
        /// Turn a complication transfer into a plain one.
        case demote(UUID)
        /// Assign the unaddressed transfers to a watch: adopted(_:).
        case adopt(UUID)
        /// Forget the contexts sent to a counterpart: when it returns, it has seen none.
        case forgetContexts(UUID)
        /// Read the transfers whose outcome the delegate does not know: endedRead(_:), endedUnread().
        case readEnded
        /// Store arrivals: kept(_:keepingBack:), notKept(reason:).
        case keep([Arrival])
        /// Read the transfers that wait for the delegate: inboxRead(_:), inboxUnread().
        case readInbox(after: Int64, limit: Int)
        /// Remove delivered transfers, and write these notes in the same commit: removed().
        case remove([Int64], [LedgerNote])
        /// Save the record of a watch: companionUnrecorded(_:) on failure. If it is the active watch, the same commit
        /// makes the others inactive.
        case recordCompanion(Companion)
        /// Delete the record of a watch: companionUnrecorded(_:) on failure.
        case forgetCompanion(UUID)

        // MARK: Files

        /// Open the file of a transfer: sourceOpened(_:), sourceFailed(_:isTemporary:_:reason:).
        indirect case openSource(OutgoingTransfer)
        /// Read pieces of the file, in this order: pieceRead(_:_:), sourceFailed(_:isTemporary:_:reason:).
        case readPieces(UUID, [FileSendMachine.Piece])
        case closeSource(UUID)
        /// Open or create a partial file: partOpened(_:size:), partKnown(_:), partFailed(_:_:).
        indirect case openPart(FileKey, FileOffer, from: UUID)
        /// Append a piece to a partial file: appended(_:size:held:), partFailed(_:_:held:).
        ///
        /// - Parameter held: The bytes returned to the device's receive window afterwards; repeated in the answer.
        indirect case append(FileKey, FilePackage.Chunk, held: Int)
        /// Append the last piece, and move the file to the inbox: fileArrived(_:path:held:), partDamaged(_:held:),
        /// partFailed.
        indirect case finishPart(FileKey, FileOffer, FilePackage.Chunk, from: UUID, held: Int)
        /// Close a partial file, so that its sender can resume.
        case closePart(FileKey)
        case closeParts(of: UUID)
        case removePart(FileKey, from: UUID)
        /// Remove a complete file that could not be stored.
        case removeFile(path: String)

        // MARK: Reports

        /// A message was sent to a device. The package itself is passed on, because building a log line and a note
        /// costs more than the message.
        case messageSent(MessagePackage, to: UUID)
        /// A message was answered.
        case messageAnswered(UUID, DeliveryStatus)
        case log(LogEvent, [LogField])
        case note(LedgerNote)
        /// An injected fault affected a package, for a time if it delays it or takes the link down.
        indirect case faultInjected(FaultRule, FaultStateMachine.Passage, for: Duration?)
    }
}

extension [DeviceEngine.Effect] {
    /// Passes on each effect in order, and empties the list. The effects are moved out: copying them and counting
    /// references costs as much as performing them.
    ///
    /// - Parameter room: The number of effects for which the list keeps its memory.
    package mutating func drain(keeping room: Int, _ perform: (DeviceEngine.Effect) -> Void) {
        guard count != 1 else { return perform(removeLast()) }
        for place in indices {
            // Replaced by an effect without a payload.
            var effect = DeviceEngine.Effect.readEnded
            swap(&effect, &self[place])
            perform(effect)
        }
        removeAll(keepingCapacity: count <= room)
    }
}
