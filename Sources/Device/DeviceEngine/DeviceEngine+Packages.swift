import EventLog
package import Foundation
package import LinkProtocol

/// Packages from and to the link, and the injected faults that affect them.
extension DeviceEngine {
    // MARK: - In

    /// Handles a package from a counterpart.
    ///
    /// - Parameters:
    ///   - bytes: Its size on the wire.
    package mutating func received(_ package: MessagePackage, from device: Device, bytes: Int, at moment: Moment) {
        guard !faults.isIdle else {
            return perform(session.received(package, from: device, bytes: bytes), at: moment)
        }
        for passage in decide(FaultStateMachine.Passage(package, device, .incoming, bytes: bytes), at: moment) {
            pass(passage, at: moment)
        }
    }

    /// Handles a package from a counterpart with a piece of a file that the caller has decoded.
    package mutating func received(
        _ package: MessagePackage, _ chunk: FilePackage.Chunk, from device: Device, bytes: Int, at moment: Moment
    ) {
        files.decoded = chunk
        defer { files.decoded = nil }
        received(package, from: device, bytes: bytes, at: moment)
    }

    /// Keeps a transfer, or a piece of a file.
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

    /// Handles progress of the link for a device: its queued transfers are not lost.
    package mutating func delivering(to device: UUID, at moment: Moment) {
        transfers.delivering(to: counterpart(device), at: moment.time)
    }

    // MARK: - Out

    /// - Parameter transfer: The transfer that the package belongs to, which is retried if the write fails.
    mutating func write(_ package: MessagePackage, to device: UUID, of transfer: UUID? = nil, at moment: Moment) {
        guard !faults.isIdle else { return emit(.write(package, to: device, of: transfer)) }
        // Fault rules match identifiers only.
        let target = Device(identifier: device, role: presence.role.counterpart, name: "")
        let passing = decide(FaultStateMachine.Passage(package, target, .outgoing), at: moment)
        // To its sender, a package that a fault delays or drops is in flight.
        guard let first = passing.first else { return wrote(package, to: device, of: transfer, at: moment) }
        emit(.write(first.package, to: device, of: transfer))
        for passage in passing.dropFirst() { emit(.writeLate(passage.package, to: device)) }
    }

    /// Handles a package that was handed to the link.
    ///
    /// - Parameter transfer: The transfer that the package belongs to, from ``Effect/write(_:to:of:)``.
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

    /// Handles a package that could not be written.
    ///
    /// - Parameter transfer: The transfer that the package belongs to, from ``Effect/write(_:to:of:)``.
    package mutating func unwritten(
        _ package: MessagePackage, to device: UUID, of transfer: UUID?, _ failure: LinkSendError, at moment: Moment
    ) {
        if let transfer {
            // Continuing would leave a gap: a file is offered again instead.
            stopFile(transfer)
            putOff([transfer], for: device, reason: failure.reason, at: moment)
            return endWriting(transfer, to: device, at: moment)
        }
        switch (package.command, package.answers) {
        case (.sendMessage, nil), (.sendMessageData, nil):
            session.unsent(package.identifier, to: device)
            emit(.failed(package.identifier, failure.failure))
        case (.sendMessage, let message?), (.sendMessageData, let message?):
            // A peer that does not read its answers will not read later ones either.
            if failure == .queueFull {
                emit(.disconnect(device, reason: LinkSendError.deaf, misbehaved: true))
            } else {
                log(.messageFailed, [.package(message), .reason("the answer was not sent: \(failure)")])
            }
        case (.state, _):
            // A peer that misses a state update would act on outdated state.
            emit(.disconnect(device, reason: LinkSendError.deaf, misbehaved: true))
        default: break
        }
    }

    // MARK: - Faults

    /// The active fault rules.
    package var faultRules: [FaultRule] { faults.rules }

    /// Changes the fault rules, and releases the packages that no longer need to wait.
    package mutating func changeFaults<Result>(
        at moment: Moment, _ change: (inout FaultStateMachine) -> (Result, [FaultStateMachine.Passage])
    ) -> Result {
        let (result, passages) = change(&faults)
        for passage in passages { pass(passage, at: moment) }
        alarms.faults = faults.nextDeadline
        return result
    }

    /// Returns the parts of a passage that continue now.
    private mutating func decide(
        _ passage: FaultStateMachine.Passage, at moment: Moment
    ) -> [FaultStateMachine.Passage] {
        let decision = faults.decide(passage, at: moment.time)
        if let fault = decision.fault {
            emit(.faultInjected(fault, passage, for: decision.loss ?? decision.delay))
            alarms.faults = faults.nextDeadline
        }
        if let loss = decision.loss { emit(.loseLink(loss)) }
        return decision.passing
    }

    /// Releases a package that a fault delayed.
    mutating func pass(_ passage: FaultStateMachine.Passage, at moment: Moment) {
        guard passage.direction == .outgoing else {
            return perform(session.received(passage.package, from: passage.device, bytes: passage.bytes), at: moment)
        }
        emit(.writeLate(passage.package, to: passage.device.identifier))
    }
}
