package import EventLog
package import Foundation
package import LinkProtocol

extension DeviceEngine {
    /// One thing that a shell does for the engine, in the order in which the engine says so. It names no object; each group
    /// lists the verbs by which the shell says how it went.
    package enum Effect: Sendable {
        // MARK: The link: wrote(_:to:of:), unwritten(_:to:of:_:)

        /// Write a package.
        ///
        /// - Parameter of: The transfer that it belongs to, and that is tried again if it cannot be written.
        case write(MessagePackage, to: UUID, of: UUID?)
        /// Write a package that a fault held back; nobody waits to hear how that went.
        case writeLate(MessagePackage, to: UUID)
        /// End the connection to a device, and tell it why.
        ///
        /// - Parameter misbehaved: Whether the device did something that no device should do.
        case disconnect(UUID, reason: String, misbehaved: Bool)
        /// Say that a device did something that no device should do.
        case misbehaved(UUID, ProtocolError)
        /// Stop reading from a device that is too far ahead of the app, or go on.
        case setReading(UUID, Bool)
        /// Say this in the hellos to come.
        case greet(DeviceState)
        /// A fault takes the link away for a while.
        case loseLink(Duration)

        // MARK: The app

        /// Presence was this, and is another now.
        indirect case presenceChanged(from: PresenceStateMachine)
        case news(AppNews)
        /// Give a message to the delegate: answer(_:of:with:), and delivered(_:from:bytes:) or handled(_:bytes:), once.
        case deliver(MessagePackage, from: Device, bytes: Int)
        /// A message has its reply, or its receiver had it and none was wanted.
        case replied(UUID, Data?)
        case failed(UUID, MessageFailure)
        /// Give a transfer to the delegate: given(_:_:opening:).
        ///
        /// - Parameter opening: How often the inbox had been opened; to be said again in the answer.
        case give(ReceivedTransfer, opening: Int)
        /// Tell the delegate how a transfer ended: told(_:wasTold:).
        case tellEnd(UUID, OutgoingTransfer.Ending)
        /// The receiver has so many bytes of a file.
        case fileProgressed(UUID, to: Int64)
        /// So many more transfers wait for the delegate.
        ///
        /// - Parameter isOpen: Whether the session lets them through.
        case arrived(Int, isOpen: Bool)
        /// So many fewer wait, as the delegate has had them.
        case settled(Int)

        // MARK: The store

        /// Read transfers to send them: loaded(_:of:batch:), loadFailed(_:batch:reason:).
        ///
        /// - Parameter batch: To be said again in the answer.
        case load([UUID], batch: Int)
        /// Write down how transfers ended: recorded(), recordFailed().
        case record([TransferStateMachine.Ending])
        /// Forget transfers, which are over, and note this with it: forgotten(_:), forgetFailed(_:_:).
        case forget([UUID], [LedgerNote])
        /// A complication's transfer waits like a plain one.
        case calm(UUID)
        /// Give a watch the transfers that wait for the first one: adopted(_:).
        case adopt(UUID)
        /// A counterpart that comes anew has seen no context.
        case forgetContexts(UUID)
        /// Read the transfers whose end the delegate does not know: endedRead(_:), endedUnread().
        case readEnded
        /// Keep what arrived: kept(_:keepingBack:), notKept(reason:).
        case keep([Arrival])
        /// Read what the delegate has not had: inboxRead(_:), inboxUnread().
        case readInbox(after: Int64, limit: Int)
        /// Remove what the delegate has had, and note this with it: removed().
        case remove([Int64], [LedgerNote])
        /// Keep what is known of a watch: companionUnrecorded(_:) if that does not work.
        case recordCompanion(Companion)
        /// Keep nothing of a watch any more: companionUnrecorded(_:) if that does not work.
        case forgetCompanion(UUID)

        // MARK: Files

        /// Open the file of a transfer: sourceOpened(_:), sourceFailed(_:isTemporary:_:reason:).
        case openSource(OutgoingTransfer)
        /// Read pieces of it, in this order: pieceRead(_:_:), sourceFailed(_:isTemporary:_:reason:).
        case readPieces(UUID, [FileSendMachine.Piece])
        case closeSource(UUID)
        /// Open the part of a file that is here, or begin one: partOpened(_:size:), partKnown(_:), partFailed(_:_:).
        case openPart(FileKey, FileOffer, from: UUID)
        /// Append a piece to it: appended(_:size:held:), partFailed(_:_:held:).
        ///
        /// - Parameter held: Bytes that the device may send more of then; to be said again in the answer.
        case append(FileKey, FilePackage.Chunk, held: Int)
        /// Append the last piece, and put the file into the inbox: fileArrived(_:path:held:), partDamaged(_:held:), partFailed.
        case finishPart(FileKey, FileOffer, FilePackage.Chunk, from: UUID, held: Int)
        /// Keep what is here of a file, for its sender to go on.
        case closePart(FileKey)
        case closeParts(of: UUID)
        case removePart(FileKey, from: UUID)
        /// Remove a whole file that could not be kept.
        case removeFile(path: String)

        // MARK: Said

        /// A message went out to a device. Said as it is, since the words of a line and a note cost more than the message.
        case messageSent(MessagePackage, to: UUID)
        /// A message was answered.
        case messageAnswered(UUID, DeliveryStatus)
        case log(LogEvent, [LogField])
        case note(LedgerNote)
        /// A fault on demand met a package.
        case faultInjected(FaultRule, FaultStateMachine.Passage)
    }
}

extension [DeviceEngine.Effect] {
    /// Hands over each effect in its order, and empties the list. They are moved out of it: to copy them, and count what they hold,
    /// costs as much as to carry them out.
    ///
    /// - Parameter room: How much of the list's memory is kept for the next effects.
    package mutating func drain(keeping room: Int, _ perform: (DeviceEngine.Effect) -> Void) {
        for place in indices {
            // Exchanged for one that holds nothing.
            var effect = DeviceEngine.Effect.readEnded
            swap(&effect, &self[place])
            perform(effect)
        }
        removeAll(keepingCapacity: count <= room)
    }
}
