import EventLog
package import Foundation
package import LinkProtocol

/// Packages from and to the link, with the faults that meet them on demand.
extension DeviceEngine {
    // MARK: - In

    /// A counterpart's package arrived.
    ///
    /// - Parameters:
    ///   - bytes: Its size on the wire.
    ///   - chunk: The piece of a file in it, for who has it decoded already.
    package mutating func received(
        _ package: MessagePackage, from device: Device, bytes: Int, chunk: FilePackage.Chunk? = nil, at moment: Moment
    ) {
        files.decoded = chunk
        defer { files.decoded = nil }
        guard !faults.isIdle else {
            return perform(session.received(package, from: device, bytes: bytes), at: moment)
        }
        for passage in decide(FaultStateMachine.Passage(package, device, .incoming, bytes: bytes), at: moment) {
            pass(passage, at: moment)
        }
    }

    /// A transfer, or a piece of a file.
    mutating func keep(_ package: MessagePackage, from device: UUID, _ bytes: Int, at moment: Moment) {
        guard let kind = TransferKind(package.command), kind != .file else {
            return package.command == .transferFile
                ? offered(package, by: device, bytes, at: moment)
                : receivedPiece(package, from: device, bytes, at: moment)
        }
        let transfer = ReceivedTransfer(
            identifier: package.identifier, peer: counterpart(device), kind: kind, payload: package.dataPackage,
            receivedAt: moment.date)
        let arrival = Arrival(
            transfer: transfer, bytes: package.dataPackage?.count ?? 0, device: device,
            startsRound: package.startsRound)
        inbox.waiting.append(.taken(Inbox.Waiting(arrival: arrival, held: bytes)))
        takeIn(at: moment)
    }

    /// The link carries what waits for a device: it is not lost.
    package mutating func delivering(to device: UUID, at moment: Moment) {
        transfers.delivering(to: counterpart(device), at: moment.time)
    }

    // MARK: - Out

    /// - Parameter transfer: The transfer that it belongs to, and that is tried again if it cannot be written.
    mutating func write(_ package: MessagePackage, to device: UUID, of transfer: UUID? = nil, at moment: Moment) {
        guard !faults.isIdle else { return emit(.write(package, to: device, of: transfer)) }
        // Rules of faults know identifiers only.
        let target = Device(identifier: device, role: presence.role.counterpart, name: "")
        let passing = decide(FaultStateMachine.Passage(package, target, .outgoing), at: moment)
        // For who sent it, a package that a fault holds back or drops is on its way.
        guard let first = passing.first else { return wrote(package, to: device, of: transfer, at: moment) }
        emit(.write(first.package, to: device, of: transfer))
        for passage in passing.dropFirst() { emit(.writeLate(passage.package, to: device)) }
    }

    /// A package is on its way.
    ///
    /// - Parameter transfer: The transfer that it belongs to, as ``Effect/write(_:to:of:)`` named it.
    package mutating func wrote(
        _ package: MessagePackage, to device: UUID, of transfer: UUID? = nil, at moment: Moment
    ) {
        if let transfer { return endWriting(transfer, to: device, at: moment) }
        guard let kind = TransferKind(package.command), !kind.isBackground else { return }
        if let message = package.answers {
            return emit(.messageAnswered(message, package.status))
        }
        emit(.messageSent(package, to: device))
    }

    /// A package could not be written.
    ///
    /// - Parameter transfer: The transfer that it belongs to, as ``Effect/write(_:to:of:)`` named it.
    package mutating func unwritten(
        _ package: MessagePackage, to device: UUID, of transfer: UUID?, _ failure: LinkSendError, at moment: Moment
    ) {
        if let transfer {
            // What would follow leaves a gap: a file is offered again instead.
            stopFile(transfer)
            putOff([transfer], for: device, reason: failure.reason, at: moment)
            return endWriting(transfer, to: device, at: moment)
        }
        switch (package.command, package.answers) {
        case (.sendMessage, nil), (.sendMessageData, nil):
            session.unsent(package.identifier, to: device)
            emit(.failed(package.identifier, failure.failure))
        case (.sendMessage, let message?), (.sendMessageData, let message?):
            // Who does not read its answers will not read the next ones either.
            if failure == .queueFull {
                emit(.disconnect(device, reason: LinkSendError.deaf, misbehaved: true))
            } else {
                log(.messageFailed, [.package(message), .reason("the answer was not sent: \(failure)")])
            }
        case (.state, _):
            // A peer that cannot be told how this device is would act on what is no longer true.
            emit(.disconnect(device, reason: LinkSendError.deaf, misbehaved: true))
        default: break
        }
    }

    // MARK: - Faults

    /// The rules of faults that hold.
    package var faultRules: [FaultRule] { faults.rules }

    /// Changes the rules of faults; what need not wait any more goes on.
    package mutating func changeFaults<Result>(
        at moment: Moment, _ change: (inout FaultStateMachine) -> (Result, [FaultStateMachine.Passage])
    ) -> Result {
        let (result, passages) = change(&faults)
        for passage in passages { pass(passage, at: moment) }
        alarms.faults = faults.nextDeadline
        return result
    }

    /// The parts of a passage that go on now.
    private mutating func decide(
        _ passage: FaultStateMachine.Passage, at moment: Moment
    ) -> [FaultStateMachine.Passage] {
        let decision = faults.decide(passage, at: moment.time)
        if let fault = decision.fault {
            emit(.faultInjected(fault, passage))
            alarms.faults = faults.nextDeadline
        }
        if let loss = decision.loss { emit(.loseLink(loss)) }
        return decision.passing
    }

    /// A package that a fault held back goes on.
    mutating func pass(_ passage: FaultStateMachine.Passage, at moment: Moment) {
        guard passage.direction == .outgoing else {
            return perform(session.received(passage.package, from: passage.device, bytes: passage.bytes), at: moment)
        }
        emit(.writeLate(passage.package, to: passage.device.identifier))
    }
}
