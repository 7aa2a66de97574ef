import EventLog
package import Foundation
package import LinkProtocol

/// Presence, and the consequences of its changes.
extension DeviceEngine {
    // MARK: - Events

    /// Activates the session for the app.
    package mutating func activate(at moment: Moment) { change(at: moment) { $0.activate() } }

    /// Applies a change by the person, the system or a counterpart.
    package mutating func change(
        at moment: Moment, _ event: (inout PresenceStateMachine) -> [PresenceStateMachine.Action]
    ) { perform(session.change(event), at: moment) }

    /// Handles a counterpart's hello.
    ///
    /// - Parameters:
    ///   - said: The state that this side's hello reported.
    ///   - hasShownCode: Whether the counterpart presented the current pairing code.
    package mutating func connected(
        _ device: Device, _ state: DeviceState, said: DeviceState, hasShownCode: Bool = false, at moment: Moment
    ) {
        perform(
            session.connected(device, state, said: said, hasShownCode: hasShownCode, at: moment.time), at: moment)
        adoptRest(at: moment)
    }

    /// Handles the end of a counterpart's connection.
    package mutating func disconnected(_ device: UUID, reason: String, at moment: Moment) {
        let actions = session.disconnected(device, reason: reason)
        disconnectedFiles(device)
        inbox.gate.disconnected(device)
        // Drops the device's arrivals that have not been processed.
        inbox.waiting.removeAll { $0.goes(with: device) }
        faults.disconnected(device)
        perform(actions, at: moment)
    }

    /// Handles a drained delegate queue, with the app's tasks done.
    package mutating func drained(at moment: Moment) {
        guard presence.awaitsDrain else { return }
        perform([session.drained()], at: moment)
    }

    /// Sets the fault that distorts this side's view of reachability from now on.
    package mutating func setReachability(_ fault: ReachabilityFault, at moment: Moment) {
        reachabilityFault = fault
        change(at: moment) { $0.setReachabilityFault(fault) }
        alarms.flap = fault.flapPeriod.map { moment.time + $0 }
    }

    // MARK: - Actions

    mutating func perform(_ actions: [SessionStateMachine.Action], at moment: Moment) {
        for action in actions { perform(action, at: moment) }
    }

    private mutating func perform(_ action: SessionStateMachine.Action, at moment: Moment) {
        switch action {
        case .presence(let former, let actions):
            emit(.presenceChanged(from: former))
            emit(.greet(session.presence.hello))
            for action in actions { perform(action, at: moment) }
        case .deliver(let package, let device, let bytes):
            note(package, device.identifier, .received, at: moment)
            emit(.deliver(package, from: device, bytes: bytes))
        case .refuse(let package, let device):
            note(package, device.identifier, .received, at: moment)
            let reason = "the counterpart's app cannot be reached now"
            answer(package, of: device.identifier, with: .failure(.notReachable, reason: reason), at: moment)
        case .keep(let package, let device, let bytes): keep(package, from: device.identifier, bytes, at: moment)
        case .leave(let kind, let device): leave(kind, from: device, at: moment)
        case .transferAnswered(let transfer, let answer, let device):
            answered(TransferStateMachine.Ending(transfer, answer), by: device, at: moment)
        case .fileProgressed(let transfer, let offset, let device):
            progressed(transfer, to: offset, from: device, at: moment)
        case .fileCancelled(let transfer, let device):
            removePart(FileKey(device: device, transfer: transfer), at: moment)
        case .replied(let message, let reply): emit(.replied(message, reply))
        case .failed(let message, let failure): emit(.failed(message, failure))
        case .stray(let reply, let message, let device): log(reply, message, device)
        case .misbehaved(let device, let error):
            emit(.disconnect(device, reason: "\(error)", misbehaved: true))
        case .setReading(let device, let isReading):
            // As it is now: an action before this one may have made room, and told so already.
            emit(.setReading(device, session.isReading(from: device) ?? isReading))
        }
    }

    private mutating func perform(_ action: PresenceStateMachine.Action, at moment: Moment) {
        switch action {
        case .activation(let activation):
            if activation == .notActivated { inbox.isOpen = false }
            emit(.news(.activation(activation)))
        case .didActivate:
            emit(.news(.didActivate))
            delegateIsReady(at: moment)
        case .didBecomeInactive: emit(.news(.didBecomeInactive))
        case .didDeactivate: emit(.news(.didDeactivate))
        case .reachability(let device, let isReachable): emit(.news(.reachability(device, isReachable)))
        case .watchState(let device): emit(.news(.watchState(device)))
        case .companionApp: emit(.news(.companionApp))
        case .hold: emit(.news(.hold))
        case .release: emit(.news(.release))
        case .launch: emit(.news(.launch))
        case .refreshTask: emit(.news(.refreshTask))
        case .abandonMessages: emit(.news(.abandonMessages))
        case .dropHandlers: emit(.news(.dropHandlers))
        case .tell(let device, let state): tell(device, state, at: moment)
        case .refuse(let device, let reason): emit(.disconnect(device, reason: reason, misbehaved: false))
        case .record(let companion): emit(.recordCompanion(companion))
        case .forget(let device): emit(.forgetCompanion(device))
        case .transfers(let device, let isAvailable): availabilityChanged(isAvailable, of: device, at: moment)
        case .adopt(let device): adopt(by: device, at: moment)
        case .giveUpTransfers(let device, let isPaired): giveUp(device, isPaired: isPaired, at: moment)
        }
    }

    /// Handles a session that is activated and has a delegate.
    package mutating func delegateIsReady(at moment: Moment) {
        emit(.readEnded)
        open(at: moment)
    }

    /// Handles a watch's record that the store could neither save nor delete: it is retried with the state at that
    /// time.
    package mutating func companionUnrecorded(_ watch: UUID, at moment: Moment) {
        unrecordedCompanions.insert(watch)
        alarms.recordingCompanions = moment.time + Self.databaseRetry
    }

    mutating func recordCompanions() {
        for watch in unrecordedCompanions {
            emit(presence.record(of: watch).map { .recordCompanion($0) } ?? .forgetCompanion(watch))
        }
        unrecordedCompanions.removeAll()
    }

    private mutating func tell(_ device: UUID, _ state: DeviceState, at moment: Moment) {
        do {
            write(try state.package(identifier: identifier(), timestamp: moment.date), to: device, at: moment)
        } catch {
            emit(.disconnect(device, reason: "\(error)", misbehaved: true))
        }
    }

    private mutating func log(_ reply: StrayReply, _ message: UUID, _ device: UUID) {
        var fields: [LogField] { [.package(message), .device(device)] }
        switch reply {
        case .late: log(.replyTooLate, fields)
        case .toNothing: log(.replyToNothing, fields)
        case .illegal(let error): log(.replyToNothing, fields + [.error(error)])
        }
    }
}
