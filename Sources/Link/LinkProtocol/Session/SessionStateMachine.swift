package import Foundation

/// One device's session with all its counterparts: who is there, what is under way, and what follows from each package that
/// comes.
///
/// A part of `DeviceEngine`, which adds transfers, files and faults to it.
package struct SessionStateMachine: Sendable {
    package enum Action: Sendable {
        /// Presence was this before, and is another now; its actions follow in this order.
        case presence(from: PresenceStateMachine, [PresenceStateMachine.Action])
        /// Give the message to the app; ``handled(_:bytes:)`` says when it was.
        case deliver(MessagePackage, from: Device, bytes: Int)
        /// Answer that the app cannot be reached.
        case refuse(MessagePackage, from: Device)
        /// Keep the transfer or the piece of a file, then answer; ``handled(_:bytes:)`` says when it was.
        case keep(MessagePackage, from: Device, bytes: Int)
        /// This side does not take the transfer now, and does not answer: nothing that was sent behind it may be kept before it.
        case leave(TransferKind, from: UUID)
        /// A counterpart's word about a transfer.
        case transferAnswered(UUID, MessagePackage)
        /// A counterpart has a file up to an offset.
        case fileProgressed(UUID, Int64, from: UUID)
        /// A counterpart gave up a file that it was sending.
        case fileCancelled(UUID, by: UUID)
        /// A message is over: tell its handlers.
        case replied(UUID, Data?)
        case failed(UUID, MessageFailure)
        case stray(StrayReply, UUID, from: UUID)
        /// What a counterpart sent is no package of its command: end the connection.
        case misbehaved(UUID, ProtocolError)
        /// Stop reading from a device that is too far ahead of the app, or go on.
        case setReading(UUID, Bool)
    }

    private struct Peer {
        var deliveries: DeliveryStateMachine
        var undeliveredMessages = 0
        var undeliveredBytes = 0
        var isReading = true

        /// Whether to read from it, if that is another than before.
        mutating func account(messages: Int, bytes: Int) -> Bool? {
            // A device that connected again starts from zero; what its former connection sent is counted down past it.
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

    private typealias Place = Dictionary<UUID, Peer>.Index

    package private(set) var presence: PresenceStateMachine
    private var peers: [UUID: Peer] = [:]
    private let replyTimeout: Duration

    package init(_ presence: PresenceStateMachine, times: LinkTimes) {
        self.presence = presence
        replyTimeout = times.reply
    }

    /// The counterpart that a device stands for: a watch has one phone, whichever it is; a phone's watches are many.
    package func counterpart(_ device: UUID) -> UUID { presence.role == .host ? device : .unknownPeer }

    // MARK: - Presence

    package mutating func change(
        _ event: (inout PresenceStateMachine) -> [PresenceStateMachine.Action]
    ) -> [Action] {
        let former = presence
        let actions = event(&presence)
        return [.presence(from: former, actions)]
    }

    /// Something came for the app, which may have to be woken. Most of what comes finds it running, and changes nothing.
    package mutating func arrived(_ content: PresenceStateMachine.Content) -> [Action] {
        presence.own.application.isRunning ? [] : change { $0.arrived(content) }
    }

    /// - Parameter hasShownCode: Whether the watch showed the pairing code that holds.
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
        return actions + change { $0.disconnected(device) }
    }

    // MARK: - Messages from this side

    /// Whether to write the message; nil if so. It must be told to ``unsent(_:to:)`` if that does not work.
    package mutating func send(
        _ identifier: UUID, wantsReply: Bool, to device: UUID, at time: MonotonicTime
    ) -> MessageFailure? {
        // In place: a machine that is taken out and put back would copy the tables of all its messages.
        switch peers.change(device, { $0.deliveries.send(identifier, wantsReply: wantsReply, at: time) }) {
        case .transmit: nil
        case .refuseDuplicate: .underWay
        case .refuseFull: .tooMany
        case nil: .notReachable
        }
    }

    package mutating func unsent(_ identifier: UUID, to device: UUID) {
        _ = peers.change(device) { $0.deliveries.answered(identifier, with: .failed) }
    }

    /// Whether the answer to a message may be written; false if its sender's connection is gone.
    ///
    /// - Throws: ``IllegalTransition`` if it was answered before.
    package mutating func answering(
        _ message: UUID, of device: UUID, with status: DeliveryStatus
    ) throws(IllegalTransition) -> Bool {
        guard let place = peers.index(forKey: device) else { return false }
        return try peers.values[place].deliveries.answering(message, with: status)
    }

    package mutating func deadlinePassed(at time: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        for place in peers.indices {
            for identifier in peers.values[place].deliveries.deadlinePassed(at: time) {
                actions.append(.failed(identifier, .timedOut))
            }
        }
        return actions
    }

    /// When ``deadlinePassed(at:)`` has something to do. A message that is sent later never makes it earlier.
    package var nextDeadline: MonotonicTime? {
        mutating get {
            var earliest: MonotonicTime?
            for place in peers.indices { earliest.bringForward(to: peers.values[place].deliveries.nextDeadline) }
            return earliest
        }
    }

    /// Messages that wait for their reply.
    package var outstandingCount: Int { peers.values.reduce(0) { $0 + $1.deliveries.outstandingCount } }

    /// What came and has not been handled.
    package var undeliveredCount: Int { peers.values.reduce(0) { $0 + $1.undeliveredMessages } }

    // MARK: - Packages from the other side

    package mutating func received(_ package: MessagePackage, from device: Device, bytes: Int) -> [Action] {
        // Looked up once: this is on every package's way.
        guard let place = peers.index(forKey: device.identifier) else { return [] }
        if let message = package.answers {
            guard TransferKind(package.command)?.isBackground == true else {
                return answered(message, by: package, at: place, device.identifier)
            }
            return [.transferAnswered(message, package)]
        }
        switch package.command {
        case .sendMessage, .sendMessageData: return receivedMessage(package, from: device, at: place, bytes: bytes)
        case .updateApplicationContext, .transferUserInfo, .transferCurrentComplicationUserInfo, .transferFile,
            .fileChunk:
            // What this side does not take now its sender keeps, and sends again when it is told that it may.
            guard presence.accepts(device.identifier) else {
                return TransferKind(package.command).map { [.leave($0, from: device.identifier)] } ?? []
            }
            return account(place, messages: 1, bytes: bytes, then: .keep(package, from: device, bytes: bytes))
        case .state, .fileProgress, .cancel: return receivedNews(package, from: device.identifier)
        case .hello, .heartbeat, .goodbye, .unrecognized: return []
        }
    }

    /// The app, or the store, is done with something that a device sent.
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
        // A repeat of what the delegate has in hand is answered when that is.
        guard peers.values[place].deliveries.received(package.identifier) else { return [] }
        guard presence.acceptsMessage(from: device.identifier) else { return [.refuse(package, from: device)] }
        let delivery = account(place, messages: 1, bytes: bytes, then: .deliver(package, from: device, bytes: bytes))
        return presence.own.application.isRunning ? delivery : arrived(.message) + delivery
    }

    private mutating func receivedNews(_ package: MessagePackage, from device: UUID) -> [Action] {
        do throws(ProtocolError) {
            switch package.command {
            case .state:
                let state = try DeviceState(try package.content(.badState))
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

    /// Counts what has not been handled, and stops reading from a device that is too far ahead.
    private mutating func account(_ place: Place, messages: Int, bytes: Int, then next: Action?) -> [Action] {
        var actions: [Action] = []
        if let isReading = peers.values[place].account(messages: messages, bytes: bytes) {
            actions.append(.setReading(peers.keys[place], isReading))
        }
        if let next { actions.append(next) }
        return actions
    }
}
