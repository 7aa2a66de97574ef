package import Foundation

/// One device's session with all its counterparts: presence, messages in flight, and the consequences of each package.
///
/// Part of `DeviceEngine`, which adds transfers, files and faults.
package struct SessionStateMachine: Sendable {
    package enum Action: Sendable {
        /// Presence has changed from this value; its actions follow in order.
        case presence(from: PresenceOutline, [PresenceStateMachine.Action])
        /// Pass the message to the app and report completion with ``handled(_:bytes:)``.
        case deliver(MessagePackage, from: Device, bytes: Int)
        /// Answer that the app is not reachable.
        case refuse(MessagePackage, from: Device)
        /// Store the transfer or file chunk and answer it; report completion with ``handled(_:bytes:)``.
        case keep(MessagePackage, from: Device, bytes: Int)
        /// Leave the transfer unanswered, as this side cannot accept it now: nothing sent after it may be stored before
        /// it.
        case leave(TransferKind, from: UUID)
        /// A counterpart answered a transfer.
        case transferAnswered(UUID, MessagePackage, from: UUID)
        /// A counterpart has a file up to an offset.
        case fileProgressed(UUID, Int64, from: UUID)
        /// A counterpart cancelled a file that it was sending.
        case fileCancelled(UUID, by: UUID)
        /// A message is complete: notify its handlers.
        case replied(UUID, Data?)
        case failed(UUID, MessageFailure)
        case stray(StrayReply, UUID, from: UUID)
        /// A counterpart sent a malformed package: end the connection.
        case misbehaved(UUID, ProtocolError)
        /// Stop reading from a device that is too far ahead of the app, or resume.
        case setReading(UUID, Bool)
    }

    private struct Peer {
        var deliveries: DeliveryStateMachine
        var undeliveredMessages = 0
        var undeliveredBytes = 0
        var isReading = true

        /// Counts unhandled content. Returns whether to read from the peer, if that has changed.
        mutating func account(messages: Int, bytes: Int) -> Bool? {
            // A reconnected device starts from zero, so content of its former connection may count down below it.
            undeliveredMessages = max(0, undeliveredMessages + messages)
            undeliveredBytes = max(0, undeliveredBytes + bytes)
            let isFull =
                undeliveredMessages >= LinkLimits.undeliveredMessages
                || undeliveredBytes >= LinkLimits.undeliveredBytes
            let isHalfEmpty =
                undeliveredMessages <= LinkLimits.undeliveredMessages / 2
                && undeliveredBytes <= LinkLimits.undeliveredBytes / 2
            let wasReading = isReading
            isReading = isReading ? !isFull : isHalfEmpty
            return isReading == wasReading ? nil : isReading
        }
    }

    private typealias Place = Dictionary<IdentifierKey, Peer>.Index

    package private(set) var presence: PresenceStateMachine
    private var peers: [IdentifierKey: Peer] = [:]
    private let replyTimeout: Duration

    package init(_ presence: PresenceStateMachine, times: LinkTimes) {
        self.presence = presence
        replyTimeout = times.reply
    }

    /// Returns the counterpart for a device: a watch has one phone, whatever its identifier; a phone has many watches.
    package func counterpart(_ device: UUID) -> UUID { presence.role == .host ? device : .unknownPeer }

    // MARK: - Presence

    package mutating func change(
        _ event: (inout PresenceStateMachine) -> [PresenceStateMachine.Action]
    ) -> [Action] {
        var actions = [follow(event)]
        if let waking = wakeForUnread() { actions.append(waking) }
        return actions
    }

    /// Handles a drained delegate queue. Nothing is left for which the app would be woken again.
    package mutating func drained() -> Action { follow { $0.drained() } }

    private mutating func follow(_ event: (inout PresenceStateMachine) -> [PresenceStateMachine.Action]) -> Action {
        let former = presence.outline
        return .presence(from: former, event(&presence))
    }

    /// Wakes a phone's app that was suspended while a counterpart is so far ahead of it that nothing is read from it: the
    /// message that would wake the app stays unread until the app has made room. Messages do not wake a watch's app.
    private mutating func wakeForUnread() -> Action? {
        guard presence.own.application == .suspended else { return nil }
        guard peers.values.contains(where: { !$0.isReading }) else { return nil }
        return follow { $0.arrived(.message) }
    }

    /// Handles content for the app, which may have to be woken. Usually the app is running and nothing changes.
    package mutating func arrived(_ content: PresenceStateMachine.Content) -> [Action] {
        presence.own.application.isRunning ? [] : change { $0.arrived(content) }
    }

    /// Handles an accepted hello.
    ///
    /// - Parameter hasShownCode: True if the watch sent a valid pairing code.
    package mutating func connected(
        _ device: Device, _ state: DeviceState, said: DeviceState, hasShownCode: Bool = false, at time: MonotonicTime
    ) -> [Action] {
        let actions = change { $0.connected(device, state, said: said, hasShownCode: hasShownCode, at: time) }
        if presence.peers[device.identifier] != nil {
            peers[device.identifier] = Peer(deliveries: DeliveryStateMachine(replyTimeout: replyTimeout))
        }
        return actions
    }

    package mutating func disconnected(_ device: UUID, reason: String) -> [Action] {
        var actions: [Action] = []
        if var peer = peers.removeValue(forKey: device) {
            actions = peer.deliveries.connectionLost().map { .failed($0, .connectionLost(reason: reason)) }
        }
        return actions.followed(by: change { $0.disconnected(device) })
    }

    // MARK: - Messages from this side

    /// Returns the reason why a message cannot be sent; nil if it must be written. A failed write must be reported with
    /// ``unsent(_:to:)``.
    package mutating func send(
        _ identifier: UUID, wantsReply: Bool, to device: UUID, at time: MonotonicTime
    ) -> MessageFailure? {
        // In place: taking the machine out and putting it back would copy its tables of messages.
        switch peers.change(device, { $0.deliveries.send(identifier, wantsReply: wantsReply, at: time) }) {
        case .transmit: nil
        case .refuseDuplicate: .underWay
        case .refuseFull: .tooMany
        case nil: .notReachable
        }
    }

    package mutating func unsent(_ identifier: UUID, to device: UUID) {
        peers.change(device) { $0.deliveries.answered(identifier, with: .failed) }
    }

    /// Returns true if the answer to a message may be written; false if its sender's connection is lost.
    ///
    /// - Throws: ``IllegalTransition`` if the message was answered before.
    package mutating func answering(
        _ message: UUID, of device: UUID, with status: DeliveryStatus
    ) throws(IllegalTransition) -> Bool {
        guard let place = peers.index(forKey: device) else { return false }
        return try peers.values[place].deliveries.answering(message, with: status)
    }

    package mutating func deadlinePassed(at time: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        forEachPeer { peer in
            for identifier in peer.deliveries.deadlinePassed(at: time) {
                actions.append(.failed(identifier, .timedOut))
            }
        }
        return actions
    }

    /// The time at which ``deadlinePassed(at:)`` has work to do. Messages sent later never make it earlier.
    package var nextDeadline: MonotonicTime? {
        mutating get {
            var earliest: MonotonicTime?
            forEachPeer { earliest.bringForward(to: $0.deliveries.nextDeadline) }
            return earliest
        }
    }

    /// Changes each peer in place. A loop over `indices` would hold the table, so that the first change copies it.
    private mutating func forEachPeer(_ change: (inout Peer) -> Void) {
        var place = peers.startIndex
        while place != peers.endIndex {
            change(&peers.values[place])
            peers.formIndex(after: &place)
        }
    }

    /// The number of messages that await a reply.
    package var outstandingCount: Int { peers.values.reduce(0) { $0 + $1.deliveries.outstandingCount } }

    /// The number of received messages and transfers that are not yet handled.
    package var undeliveredCount: Int { peers.values.reduce(0) { $0 + $1.undeliveredMessages } }

    /// Returns true if a device's packages are read; nil if it is not connected.
    package func isReading(from device: UUID) -> Bool? { peers[device]?.isReading }

    // MARK: - Packages from the other side

    package mutating func received(_ package: MessagePackage, from device: Device, bytes: Int) -> [Action] {
        // Looked up once, as every package passes through here.
        guard let place = peers.index(forKey: device.identifier) else { return [] }
        if let message = package.answers {
            guard TransferKind(package.command)?.isBackground == true else {
                return answered(message, by: package, at: place, device.identifier)
            }
            return [.transferAnswered(message, package, from: device.identifier)]
        }
        switch package.command {
        case .sendMessage, .sendMessageData: return receivedMessage(package, from: device, at: place, bytes: bytes)
        case .updateApplicationContext, .transferUserInfo, .transferCurrentComplicationUserInfo, .transferFile,
            .fileChunk:
            // The sender keeps content that is not accepted now, and resends it when notified.
            guard presence.accepts(device.identifier) else {
                return TransferKind(package.command).map { [.leave($0, from: device.identifier)] } ?? []
            }
            return account(place, messages: 1, bytes: bytes, then: .keep(package, from: device, bytes: bytes))
        case .state, .fileProgress, .cancel: return receivedNews(package, from: device.identifier)
        case .hello, .heartbeat, .goodbye, .unrecognized: return []
        }
    }

    /// Records that the app or the store has handled content from a device.
    package mutating func handled(_ device: UUID, bytes: Int) -> [Action] {
        peers.index(forKey: device).map { account($0, messages: -1, bytes: -bytes, then: nil) } ?? []
    }

    private mutating func answered(
        _ message: UUID, by package: MessagePackage, at place: Place, _ device: UUID
    ) -> [Action] {
        switch peers.values[place].deliveries.answered(message, with: package.status) {
        case .reply, .delivered: [.replied(message, package.dataPackage)]
        case .fail: [.failed(message, .answered(code: package.errorCode, reason: package.errorMessage))]
        case .tooLate: [.stray(.late, message, from: device)]
        case .unknown: [.stray(.toNothing, message, from: device)]
        case .illegal(let error): [.stray(.illegal(error), message, from: device)]
        }
    }

    private mutating func receivedMessage(
        _ package: MessagePackage, from device: Device, at place: Place, bytes: Int
    ) -> [Action] {
        // A duplicate of a message that the delegate is handling is answered together with it.
        guard peers.values[place].deliveries.received(package.identifier) else { return [] }
        guard presence.acceptsMessage(from: device.identifier) else { return [.refuse(package, from: device)] }
        let delivery = account(place, messages: 1, bytes: bytes, then: .deliver(package, from: device, bytes: bytes))
        return presence.own.application.isRunning ? delivery : arrived(.message) + delivery
    }

    private mutating func receivedNews(_ package: MessagePackage, from device: UUID) -> [Action] {
        do throws(ProtocolError) {
            switch package.command {
            case .state:
                let state = try DeviceState(package)
                return change { $0.peerChanged(device, state) }
            case .fileProgress:
                let (transfer, offset) = try FilePackage.progress(in: package)
                return [.fileProgressed(transfer, offset, from: device)]
            default: return [.fileCancelled(try FilePackage.transfer(in: package), by: device)]
            }
        } catch {
            return [.misbehaved(device, error)]
        }
    }

    /// Counts unhandled content, and stops reading from a device that is too far ahead.
    private mutating func account(_ place: Place, messages: Int, bytes: Int, then next: Action?) -> [Action] {
        var actions: [Action] = []
        if let isReading = peers.values[place].account(messages: messages, bytes: bytes) {
            actions.append(.setReading(peers.keys[place].identifier, isReading))
        }
        if let next { actions.append(next) }
        return actions
    }
}
