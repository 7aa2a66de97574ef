package import Foundation

/// The outgoing transfers to all counterparts: decides when to send each, handles its result, and ensures that the
/// result is recorded durably before it is reported.
///
/// Only identifiers, kinds and positions are kept here; payloads and files stay in the store.
package struct TransferStateMachine: Sendable {
    package typealias Entry = TransferQueues.Entry

    /// The result of a transfer.
    package struct Ending: Equatable, Sendable {
        package let identifier: UUID
        package let outcome: OutboxStateMachine.Outcome
        /// The raw value of a `WCError.Code` for a failure.
        package let code: Int?

        package init(identifier: UUID, outcome: OutboxStateMachine.Outcome, code: Int? = nil) {
            self.identifier = identifier
            self.outcome = outcome
            self.code = code
        }

        /// Creates a result from the receiver's answer. A failure without a code requests a retry.
        package init(_ transfer: UUID, _ answer: MessagePackage) {
            let reason = answer.errorMessage ?? "the counterpart gave no reason"
            let outcome: OutboxStateMachine.Outcome =
                switch (answer.status, answer.errorCode) {
                case (.replied, _): .replied
                case (_, nil): .unavailable(reason: reason)
                case (_, _?): .refused(reason: reason)
                }
            self.init(identifier: transfer, outcome: outcome, code: answer.errorCode)
        }
    }

    package struct Item: Equatable, Sendable {
        package fileprivate(set) var peer: UUID
        package fileprivate(set) var kind: TransferKind
        package let position: Int64
        /// True if a newer context has superseded it: it arrives with the attempt in flight, or never.
        fileprivate var isReplaced = false

        package init(peer: UUID, kind: TransferKind, position: Int64) {
            self.peer = peer
            self.kind = kind
            self.position = position
        }
    }

    package enum Action: Equatable, Sendable {
        /// Read the transfer from the store and send it; call ``vanished(_:at:)`` if it is missing.
        case transmit(Entry, Item, to: UUID)
        /// The attempt is over: do not send the transfer any more, and close its file. The next deadline may be earlier.
        case stop(UUID)
        /// Notify a device that a transfer was cancelled.
        case withdraw(UUID, from: UUID)
        /// Record these results, then call ``recorded(at:)`` or ``recordFailed(at:)``. Nothing new is sent until that
        /// succeeds, and no other action of this kind is returned.
        case record([Ending])
        /// The result is durable: notify the application.
        case finished(Ending, Item)
        case retry(Entry, Item, reason: String)
        /// The connection was lost; the transfer is queued again.
        case interrupted(Entry, Item, device: UUID)
        /// A newer context superseded the transfer.
        case coalesced(UUID, Item, by: UUID)
        /// The transfer is no longer the current one of the complication, and loses its priority.
        case demote(UUID)
    }

    private var queues: [IdentifierKey: TransferQueues] = [:]
    private var items: [IdentifierKey: Item] = [:]
    /// The connected device of each counterpart that accepts transfers.
    private var devices: [IdentifierKey: UUID] = [:]
    private var recorder = EndRecorder<Ending>()
    /// Counterparts whose queues changed while results were being recorded.
    private var moved: Set<IdentifierKey> = []
    private var currentComplications: [IdentifierKey: UUID] = [:]
    private let backoff: Backoff
    private let patience: Duration

    package init(backoff: Backoff, times: LinkTimes) {
        self.backoff = backoff
        patience = times.acknowledgement
    }

    /// The number of unfinished transfers.
    package var pendingCount: Int { items.count }

    /// Returns the counterpart that a transfer is for; nil if it has ended.
    package func peer(of transfer: UUID) -> UUID? { items[transfer]?.peer }

    /// True if transfers are queued for the first counterpart that connects.
    package var hasUnaddressed: Bool { (queues[.unknownPeer]?.pendingCount ?? 0) > 0 }

    // MARK: - From the application

    /// Adds a transfer left by an earlier run.
    package mutating func load(_ identifier: UUID, _ item: Item) { insert(identifier, item) }

    /// Adds a durable transfer.
    ///
    /// - Parameter replaced: The context that it supersedes.
    package mutating func queued(
        _ identifier: UUID, _ item: Item, replacing replaced: UUID?, at time: MonotonicTime, jitter: Double
    ) -> [Action] {
        var actions: [Action] = []
        if let replaced { actions += coalesce(replaced, by: identifier, at: time, jitter: jitter) }
        if item.kind == .complication, let former = currentComplications[item.peer] {
            queues.change(item.peer) { $0.demoted(former) }
            items.change(former) { $0.kind = .userInfo }
            actions.append(.demote(former))
        }
        insert(identifier, item)
        return actions.followed(by: transmit(to: item.peer, at: time))
    }

    /// Adds a durable transfer that ends with this result without being sent.
    package mutating func queued(_ item: Item, ending: Ending, at time: MonotonicTime) -> [Action] {
        // Not added to a queue, so that it is never sent.
        items[ending.identifier] = item
        recorder.add(ending)
        return record(at: time)
    }

    /// Cancels a transfer for the application; nil if it is complete, or its result is being recorded.
    package mutating func cancelled(_ identifier: UUID, at time: MonotonicTime, jitter: Double) -> (Item, [Action])? {
        guard let item = items[identifier] else { return nil }
        // A file that waits for another attempt may be half there.
        let wasSent = queues[item.peer]?.wasSent(identifier, item.kind) == true
        guard withdraw(identifier, item, at: time, jitter: jitter) else { return nil }
        items[identifier] = nil
        var actions: [Action] = [.stop(identifier)]
        if wasSent, let device = devices[item.peer] { actions.append(.withdraw(identifier, from: device)) }
        return (item, actions.followed(by: transmit(to: item.peer, at: time)))
    }

    // MARK: - From the link

    /// Records whether a counterpart's device accepts transfers.
    package mutating func availabilityChanged(
        _ isAvailable: Bool, of device: UUID, for peer: UUID, at time: MonotonicTime
    ) -> [Action] {
        devices[peer] = isAvailable ? device : nil
        var actions: [Action] = []
        for entry in queues.change(peer, { $0.availabilityChanged(isAvailable) }) ?? [] {
            guard let item = items[entry.identifier] else { continue }
            actions.append(.stop(entry.identifier))
            guard !item.isReplaced else {
                drop(entry.identifier, item, at: time, jitter: 0)
                continue
            }
            actions.append(.interrupted(entry, item, device: device))
        }
        return actions.followed(by: transmit(to: peer, at: time))
    }

    /// Assigns the transfers queued for the first watch to this one.
    package mutating func adopted(by peer: UUID, at time: MonotonicTime) -> [Action] {
        queues[.unknownPeer] = nil
        for (key, item) in items.filter({ $0.value.peer == .unknownPeer }).sorted(by: {
            $0.value.position < $1.value.position
        }) {
            insert(key.identifier, Item(peer: peer, kind: item.kind, position: item.position))
        }
        moved.insert(peer)
        return record(at: time)
    }

    /// Fails all transfers to a counterpart that can no longer be reached.
    package mutating func gaveUp(
        _ peer: UUID, reason: String, code: Int, at time: MonotonicTime, jitter: Double
    ) -> [Action] {
        var actions: [Action] = []
        for (key, item) in items.filter({ $0.value.peer == peer }).sorted(by: {
            $0.value.position < $1.value.position
        }) where withdraw(key.identifier, item, at: time, jitter: jitter) {
            let identifier = key.identifier
            actions.append(.stop(identifier))
            recorder.add(Ending(identifier: identifier, outcome: .refused(reason: reason), code: code))
        }
        return actions.followed(by: record(at: time))
    }

    /// Restarts the time-out of a file transfer, as the receiver has more of the file.
    package mutating func progressed(_ identifier: UUID, at time: MonotonicTime) {
        guard let item = items[identifier] else { return }
        queues.change(item.peer) { $0.progressed(identifier, item.kind, at: time) }
    }

    /// Restarts the time-outs of transfers to a counterpart, as the link is delivering data sent before them.
    package mutating func delivering(to peer: UUID, at time: MonotonicTime) {
        queues.change(peer) { $0.delivering(at: time) }
    }

    /// Handles the results of attempts.
    package mutating func ended(_ endings: [Ending], at time: MonotonicTime, jitter: Double) -> [Action] {
        var actions: [Action] = []
        for ending in endings {
            guard let item = items[ending.identifier] else { continue }
            moved.insert(item.peer)
            let action = queues.change(item.peer) {
                $0.settled(ending.identifier, item.kind, ending.outcome, at: time, jitter: jitter)
            }
            switch action {
            case .finish, .giveUp:
                recorder.add(ending)
                actions.append(.stop(ending.identifier))
            case .retry where item.isReplaced:
                drop(ending.identifier, item, at: time, jitter: jitter)
                actions.append(.stop(ending.identifier))
            case .retry(let entry, let reason):
                actions.append(.stop(ending.identifier))
                actions.append(.retry(entry, item, reason: reason))
            case .ignore, nil: break
            }
        }
        return actions.followed(by: record(at: time))
    }

    /// Drops a transfer missing from the store: a newer context is about to supersede it, or its record is unreadable.
    package mutating func vanished(_ identifier: UUID, at time: MonotonicTime) -> [Action] {
        guard let item = items[identifier] else { return [] }
        // Regardless of its state: it is queued again if its connection was lost in the meantime.
        drop(identifier, item, at: time, jitter: 0)
        return transmit(to: item.peer, at: time)
    }

    // MARK: - From the store

    /// Records that results could not be stored: they are retried after ``EndRecorder/retryDelay``.
    package mutating func recordFailed(at time: MonotonicTime) { recorder.failed(at: time) }

    private mutating func record(at time: MonotonicTime) -> [Action] {
        guard !recorder.isEmpty else { return transmitMoved(at: time) }
        return recorder.next(at: time).map { [.record($0)] } ?? []
    }

    /// Records that the results are durable.
    package mutating func recorded(at time: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        for ending in recorder.recorded() {
            guard let item = items.removeValue(forKey: ending.identifier) else { continue }
            if currentComplications[item.peer] == ending.identifier { currentComplications[item.peer] = nil }
            actions.append(.finished(ending, item))
        }
        // Results that arrived in the meantime are recorded next.
        return actions.followed(by: record(at: time))
    }

    // MARK: - Time

    package mutating func deadlinePassed(at time: MonotonicTime, jitter: Double) -> [Action] {
        let lost = queues.values.flatMap { $0.overdue(at: time) }.map {
            Ending(identifier: $0, outcome: .unavailable(reason: "no acknowledgement for \(patience.inSeconds) s"))
        }
        moved.formUnion(devices.keys)
        return ended(lost, at: time, jitter: jitter)
    }

    /// The time at which ``deadlinePassed(at:jitter:)`` has work to do. While results are being recorded nothing is
    /// sent, and only the next attempt to record them counts.
    package var nextDeadline: MonotonicTime? {
        guard recorder.isEmpty else { return recorder.nextDeadline }
        var next: MonotonicTime?
        for queue in queues.values { next.bringForward(to: queue.nextDeadline) }
        return next
    }

    // MARK: - Rules

    private mutating func insert(_ identifier: UUID, _ item: Item) {
        items[identifier] = item
        if item.kind == .complication { currentComplications[item.peer] = identifier }
        let entry = Entry(identifier: identifier, position: item.position, isUrgent: item.kind == .complication)
        // In place: taking the queue out and putting it back would copy it.
        if queues[item.peer] == nil { queues[item.peer] = newQueue(for: item.peer) }
        queues.change(item.peer) { $0.inserted(entry, item.kind) }
    }

    private func newQueue(for peer: UUID) -> TransferQueues {
        var queue = TransferQueues(backoff: backoff, patience: patience)
        _ = queue.availabilityChanged(devices[peer] != nil)
        return queue
    }

    /// Removes a transfer from its queue; returns true if it was not complete.
    private mutating func withdraw(
        _ identifier: UUID, _ item: Item, at time: MonotonicTime, jitter: Double
    ) -> Bool {
        let isCancelled = queues.change(item.peer) {
            $0.cancelled(identifier, item.kind, at: time, jitter: jitter)
        }
        guard isCancelled == true else { return false }
        if currentComplications[item.peer] == identifier { currentComplications[item.peer] = nil }
        return true
    }

    /// Supersedes a context; it arrives only if it is already in flight.
    private mutating func coalesce(
        _ former: UUID, by newer: UUID, at time: MonotonicTime, jitter: Double
    ) -> [Action] {
        guard let item = items[former] else { return [] }
        if queues[item.peer]?.isUnderWay(former, .context) == true {
            items.change(former) { $0.isReplaced = true }
        } else {
            guard withdraw(former, item, at: time, jitter: jitter) else { return [] }
            items[former] = nil
        }
        return [.coalesced(former, item, by: newer)]
    }

    /// Removes a superseded context. Its result is not awaited: it was recorded when it was superseded.
    private mutating func drop(_ identifier: UUID, _ item: Item, at time: MonotonicTime, jitter: Double) {
        queues.change(item.peer) { $0.cancelled(identifier, item.kind, at: time, jitter: jitter) }
        items[identifier] = nil
    }

    private mutating func transmitMoved(at time: MonotonicTime) -> [Action] {
        guard !moved.isEmpty else { return [] }
        var peers: Set<IdentifierKey> = []
        swap(&peers, &moved)
        return peers.flatMap { transmit(to: $0.identifier, at: time) }
    }

    private mutating func transmit(to peer: UUID, at time: MonotonicTime) -> [Action] {
        // Transfers queued before any watch connected precede those queued since for the first watch.
        guard recorder.isEmpty, peer == .unknownPeer || !hasUnaddressed else {
            moved.insert(peer)
            return []
        }
        guard let device = devices[peer] else { return [] }
        return (queues.change(peer) { $0.transmit(at: time) } ?? []).compactMap { entry in
            items[entry.identifier].map { .transmit(entry, $0, to: device) }
        }
    }
}
